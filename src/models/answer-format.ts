import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { JsonMode } from '../schema/model-config.ts';
import type { ModelRequest } from './model.ts';

/** The name of the format, for providers that require one. */
export const FORMAT_NAME = 'answer';

/** The instructions. They describe the format unless the provider gets it as a schema. */
export function systemWithFormat({ system, responseFormat }: ModelRequest, mode: JsonMode): string {
  if (!responseFormat || mode === 'schema') return system;
  const schema = JSON.stringify(responseFormat);
  return `${system}\n\nAnswer the user only with JSON that fits this JSON Schema, without any other text: ${schema}`;
}

/**
 * Whether a schema fits the strict mode of OpenAI, which guarantees the format: every object lists all its properties
 * as required and allows no others. Other schemas are sent without strict mode, as they would be refused.
 */
export function isStrict(schema: JsonObject): boolean {
  const parts = Object.entries(schema).every(([key, value]) => isStrictPart(key, value));
  if (!isObject(schema.properties) && schema.type !== 'object') return parts;
  const { properties, required } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isWhole = Array.isArray(required) && names.every((name) => required.includes(name));
  return parts && schema.additionalProperties === false && (isWhole || names.length === 0);
}

const NAMED = ['properties', '$defs', 'definitions'];
const NOT_STRICT = ['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'patternProperties', 'dependentSchemas', 'default'];

function isStrictPart(key: string, value: Json): boolean {
  if (NOT_STRICT.includes(key)) return false;
  if (NAMED.includes(key)) return isObject(value) && Object.values(value).every((part) => isStrictSchema(part));
  if (key === 'anyOf') return Array.isArray(value) && value.every(isStrictSchema);
  return key !== 'items' || isStrictSchema(value);
}

function isStrictSchema(value: Json): boolean {
  return isObject(value) && isStrict(value);
}
