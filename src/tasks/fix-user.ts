import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { removePath } from '../tools/remove-path.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';

/** The tool for one user: `user_id` is in no schema, in no argument and in no result. */
export function fixUser(tool: Tool, user: User): Tool {
  const { outputSchema, run } = tool;
  return {
    ...tool,
    inputSchema: withoutUser(tool.inputSchema),
    ...(outputSchema && {
      outputSchema: isObject(outputSchema.items) ? listOf(outputSchema) : withoutUser(outputSchema),
    }),
    run: async (args, context) => hideUser(await run({ ...args, user_id: user.id }, context)),
  };
}

function listOf(schema: JsonObject): JsonObject {
  return { ...schema, items: isObject(schema.items) ? withoutUser(schema.items) : {} };
}

function withoutUser(schema: JsonObject): JsonObject {
  const reduced = removePath(schema, ['user_id']);
  if (reduced.outcome === 'unsafe') throw new Error(reduced.reason);
  return reduced.outcome === 'removed' ? reduced.schema : schema;
}

function hideUser(outcome: ToolOutcome): ToolOutcome {
  if (!('result' in outcome)) return outcome;
  const { result } = outcome;
  return { result: Array.isArray(result) ? result.map(dropUser) : dropUser(result) };
}

function dropUser(task: Json): Json {
  if (!isObject(task)) return task;
  const { user_id: _, ...rest } = task;
  return rest;
}
