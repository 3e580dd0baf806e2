import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { findSchemaFault } from '../../tools/json-schema/schema-limits.ts';
import { resolvePointer, walkSchema } from '../../tools/json-schema/schema-walk.ts';

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const isNumber = (value: Json) => typeof value === 'number';
const isSchema = (value: Json) => isObject(value) || typeof value === 'boolean';
const isSchemas = (value: Json) => isObject(value) && Object.values(value).every(isSchema);
const isSchemaList = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isNames = (value: Json) => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isType = (value: Json) =>
  Array.isArray(value) ? value.length > 0 && value.every((type) => TYPES.includes(type)) : TYPES.includes(value);

const KEYWORDS: Readonly<Record<string, (value: Json) => boolean>> = {
  type: isType,
  properties: isSchemas,
  patternProperties: isSchemas,
  $defs: isSchemas,
  definitions: isSchemas,
  required: isNames,
  enum: (value) => Array.isArray(value) && value.length > 0,
  items: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  additionalProperties: isSchema,
  allOf: isSchemaList,
  anyOf: isSchemaList,
  oneOf: isSchemaList,
  not: isSchema,
  pattern: (value) => typeof value === 'string',
  ...Object.fromEntries(
    ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'].map((key) => [
      key,
      isNumber,
    ]),
  ),
};

/**
 * The reason why a foreign schema cannot be used, or undefined. Linear in its size, because compiling all schemas of a
 * list is too slow.
 */
function findShapeFault(schema: JsonObject): string | undefined {
  const fault = findSchemaFault(schema);
  if (fault) return fault;
  let found: string | undefined;
  walkSchema(schema, (inner) => {
    found ??= findKeywordFault(inner, schema);
  });
  return found;
}

function findKeywordFault(schema: JsonObject, root: JsonObject): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const isValid = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (isValid && !isValid(value)) return `"${keyword}" has a value that JSON Schema does not allow`;
  }
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return undefined;
  return resolvePointer(root, $ref) === undefined ? 'it refers to a part that it does not have' : undefined;
}

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
