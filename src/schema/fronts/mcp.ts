import * as z from 'zod';
import { JsonObject } from '../json.ts';

/** A message of an MCP client. The protocol's own library checks it; this is its outline for readers. */
export const McpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: JsonObject.optional(),
});

/**
 * The key in `_meta` under which a failed call carries its typed error. Clients check structured content against the
 * tool's output schema, which no error fits.
 */
export const ERROR_META = 'holodeck.dev/error';
