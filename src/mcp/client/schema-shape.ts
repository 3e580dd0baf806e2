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
export function findShapeFault(schema: JsonObject): string | undefined {
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
