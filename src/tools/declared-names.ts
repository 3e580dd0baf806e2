import { isObject, type JsonObject } from '../schema/json.ts';
import { resolvePointer } from './schema-walk.ts';

const BRANCHES = ['if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const OPEN = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

/** Arguments that a schema declares; undefined where it allows others explicitly, or where that cannot be read. */
export function declaredNames(schema: JsonObject): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  const queue = [schema];
  for (let part = queue.pop(); part; part = queue.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    if (allowsOthers(part)) return undefined;
    if (isObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name);
    const targets = readTargets(part, schema);
    if (!targets) return undefined;
    queue.push(...targets);
  }
  return names;
}

function allowsOthers(schema: JsonObject): boolean {
  return OPEN.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
}

/** The schemas that apply to the same object; undefined for a reference that leads nowhere. */
function readTargets(schema: JsonObject, root: JsonObject): JsonObject[] | undefined {
  const { $ref: reference, $dynamicRef: dynamic, dependentSchemas } = schema;
  const target = typeof reference === 'string' ? resolvePointer(root, reference) : undefined;
  if (dynamic !== undefined || (reference !== undefined && !isObject(target))) return undefined;
  const all = [
    target,
    ...BRANCHES.map((keyword) => schema[keyword]),
    ...LISTS.flatMap((keyword) => schema[keyword] ?? []),
    ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  return all.filter(isObject);
}
