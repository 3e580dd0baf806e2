import { isObject, type Json, type JsonObject } from '../../schema/json.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. All others hold data or numbers. */
const ONE = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'additionalItems',
  'unevaluatedItems',
].concat(['items', 'contains', 'contentSchema', 'not', 'if', 'then', 'else']);
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** Builds a JSON object from entries. Unlike assignment, a key named `__proto__` stays an ordinary key. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}

/** Copies a schema and changes its direct subschemas. Data such as `default` and `enum` stays unchanged. */
export function mapSubschemas(schema: JsonObject, change: (subschema: JsonObject) => JsonObject): JsonObject {
  const changeOne = (value: Json): Json => (isObject(value) ? change(value) : value);
  return fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (Array.isArray(value) && LIST.includes(keyword)) return [keyword, value.map(changeOne)];
      if (isObject(value) && ONE.includes(keyword)) return [keyword, change(value)];
      if (isObject(value) && NAMED.includes(keyword)) {
        return [keyword, fromEntries(Object.entries(value).map(([name, item]) => [name, changeOne(item)]))];
      }
      return [keyword, value];
    }),
  );
}

/** Visits the schema and everything inside it, each with its depth. */
export function walkSchema(schema: JsonObject, visit: (schema: JsonObject, depth: number) => void, depth = 0): void {
  visit(schema, depth);
  mapSubschemas(schema, (inner) => {
    walkSchema(inner, visit, depth + 1);
    return inner;
  });
}

/** Resolves a pointer such as `#/$defs/Name`; undefined if it leads nowhere. */
export function resolvePointer(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodePart(part);
    if (name === undefined || typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as JsonObject)[name];
  }
  return found;
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
