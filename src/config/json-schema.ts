import * as z from 'zod';
import { entrySchema, kindTexts } from '../kinds/tool-kinds.ts';
import { AgentFile } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';
import { KnowledgeMap } from '../schema/knowledge/entry.ts';
import { Members } from '../schema/team.ts';
import { describedKey, KEY_TEXTS } from './key-texts.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** A value that is a single variable: `port: ${PORT}`. */
const VARIABLE = { type: 'string', pattern: '^\\$\\{[A-Za-z_]\\w*\\}$' } as const;

/** The JSON Schema of agent.yaml for editors, generated from the schema that checks the file. */
export function agentJsonSchema(): JsonObject {
  const lazy = { knowledge: KnowledgeMap.optional(), agents: Members.optional() };
  const tools = z.array(entrySchema()).default([]);
  const file = z.strictObject({ ...AgentFile.shape, tools, ...lazy });
  const { $schema, ...schema } = z.toJSONSchema(file, { io: 'input' });
  const document = {
    $schema,
    title: 'HoloDeck agent',
    description: `One agent: the content of agent.yaml. A \${NAME} in a text is filled from the environment.`,
    ...complete(schema, ''),
  };
  // z.toJSONSchema returns plain JSON; its own type is wider.
  return document as JsonObject;
}

/** Adds the description of every key, and allows a variable in place of a number or a boolean. */
function complete(schema: Schema, path: string): Schema {
  const { properties, additionalProperties: more, items, anyOf, oneOf } = schema;
  const inner = (list: readonly Schema[]) => list.map((one) => complete(one, path));
  return {
    ...schema,
    ...(properties && { properties: completeKeys(properties, path) }),
    ...(typeof more === 'object' && { additionalProperties: complete(more, `${path}.NAME`) }),
    ...(isSchema(items) && { items: complete(items, `${path}[]`) }),
    ...(anyOf && { anyOf: inner(anyOf) }),
    ...(oneOf && { oneOf: inner(oneOf) }),
  };
}

function completeKeys(properties: NonNullable<Schema['properties']>, path: string): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) => {
      if (!isSchema(value)) return [];
      const at = path ? `${path}.${key}` : key;
      const described = describedKey(at);
      const texts = [KEY_TEXTS[described], ...kindTexts(described)].filter((text) => text !== undefined);
      return [
        [key, { ...orVariable(complete(value, at)), ...(texts.length > 0 && { description: texts.join(', ') }) }],
      ];
    }),
  );
}

function orVariable(schema: Schema): Schema {
  if (!['number', 'integer', 'boolean'].includes(String(schema.type))) return schema;
  const { default: standard, ...plain } = schema;
  return { anyOf: [plain, VARIABLE], ...(standard !== undefined && { default: standard }) };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
