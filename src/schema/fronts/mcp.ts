import * as z from 'zod';
import { JsonObject } from '../json.ts';

/** A message of an MCP client. The protocol's own library checks it; this is its outline for readers. */
export const McpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: JsonObject.optional(),
});
