import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { removePath } from '../tools/remove-path.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';

/** The tool for one user: `user_id` appears in no schema, argument or result. */
export function fixUser(tool: Tool, user: User): Tool {
  const { outputSchema, run } = tool;
  return {
    ...tool,
    inputSchema: withoutUser(tool.inputSchema),
    ...(outputSchema && { outputSchema: dropFromSchema(outputSchema) }),
    run: async (args, context) => hideUser(await run({ ...args, user_id: user.id }, context)),
  };
}

function withoutUser(schema: JsonObject): JsonObject {
  const reduced = removePath(schema, ['user_id']);
  if (reduced.outcome === 'unsafe') throw new Error(reduced.reason);
  return reduced.outcome === 'removed' ? reduced.schema : schema;
}

/** Removes the property at every depth of a result's schema; the schemas are our own, without references. */
function dropFromSchema(schema: JsonObject): JsonObject {
  const { properties, items, required } = schema;
  return {
    ...schema,
    ...(isObject(items) && { items: dropFromSchema(items) }),
    ...(isObject(properties) && { properties: dropFromProperties(properties) }),
    ...(Array.isArray(required) && { required: required.filter((name) => name !== 'user_id') }),
  };
}

function dropFromProperties({ user_id: _, ...kept }: JsonObject): JsonObject {
  const entries = Object.entries(kept).map(([name, schema]): [string, Json] => [
    name,
    isObject(schema) ? dropFromSchema(schema) : schema,
  ]);
  return Object.fromEntries(entries);
}

function hideUser(outcome: ToolOutcome): ToolOutcome {
  return 'result' in outcome ? { result: dropUser(outcome.result) } : outcome;
}

function dropUser(value: Json): Json {
  if (Array.isArray(value)) return value.map(dropUser);
  if (!isObject(value)) return value;
  const { user_id: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, dropUser(inner)]));
}
