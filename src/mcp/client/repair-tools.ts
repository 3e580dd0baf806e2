import { z } from 'zod';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { findShapeFault } from './schema-shape.ts';

/** Marks a listed tool that cannot be offered; its value is the reason. */
export const REFUSED_META = 'holodeck.dev/refused';

const Flag = z.boolean().optional();
const Text = z.string().optional();
/** The fields of a tool that the SDK checks; there, one invalid tool fails the whole list. */
const WireTool = z.looseObject({
  name: z.string(),
  title: Text,
  description: Text,
  inputSchema: z.looseObject({ $schema: Text, type: z.literal('object') }),
  outputSchema: z.looseObject({ $schema: Text }).optional(),
  annotations: z
    .looseObject({ title: Text, readOnlyHint: Flag, destructiveHint: Flag, idempotentHint: Flag, openWorldHint: Flag })
    .optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** Returns a listed tool in a shape that the SDK accepts; an invalid one keeps its name and carries the reason. */
export function repairTool(listed: Json, options: { position: number; isModern: boolean }): JsonObject {
  const tool = isObject(listed) ? dropUnused(listed) : {};
  const reason = findFault(tool, options.isModern);
  if (reason === undefined) return tool;
  const name = typeof tool.name === 'string' ? tool.name : `tool ${options.position}`;
  return { name, inputSchema: { type: 'object' }, _meta: { [REFUSED_META]: reason } };
}

/** Several servers write null for an absent field. Icons and task rules are not used here. */
function dropUnused(tool: JsonObject): JsonObject {
  const { icons: _icons, execution: _execution, ...used } = tool;
  return Object.fromEntries(Object.entries(used).filter(([, value]) => value !== null));
}

function findFault(tool: JsonObject, isModern: boolean): string | undefined {
  for (const key of ['inputSchema', 'outputSchema'] as const) {
    const schema = tool[key];
    const fault = isObject(schema) ? findShapeFault(schema) : undefined;
    if (fault) return `its ${key} cannot be used: ${fault}`;
  }
  const field = WireTool.safeParse(tool).error?.issues[0]?.path[0];
  if (field === 'name') return 'it has no name';
  if (field === 'inputSchema') return 'its inputSchema is not the schema of an object';
  if (field !== undefined) return `its ${String(field)} is not in the form that the protocol asks for`;
  const { outputSchema } = tool;
  const isOtherOutput = !isModern && isObject(outputSchema) && outputSchema.type !== 'object';
  return isOtherOutput ? 'its outputSchema is not the schema of an object' : undefined;
}
