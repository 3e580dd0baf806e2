import { isObject, type JsonObject } from '../../schema/json.ts';
import { mapSubschemas, resolvePointer, walkSchema } from './schema-walk.ts';

const MAX_CHARS = 200_000;
const MAX_DEPTH = 40;
const MAX_REFERENCES = 500;
/** Following references to this depth uses about half of the stack. */
const MAX_FOLLOWED_DEPTH = 400;
/** References multiply: twenty schemas that each use the next one twice cause a million checks. */
const MAX_STEPS = 50_000;

/** The reason why a foreign schema must not be compiled, or undefined. */
export function findSchemaFault(schema: JsonObject): string | undefined {
  if (isTooDeep(schema)) return `it is nested deeper than ${MAX_DEPTH} levels`;
  if (JSON.stringify(schema).length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`;
  const references = listReferences(schema);
  if (references.length > MAX_REFERENCES) return `it holds more than ${MAX_REFERENCES} references`;
  const foreign = references.find((reference) => !reference.startsWith('#'));
  if (foreign !== undefined) return `it refers to another document (${foreign.slice(0, 100)})`;
  if (references.length > 0 && hasInnerDocument(schema)) return 'a part of it has an $id of its own';
  const { steps, depth } = measure(schema);
  if (depth > MAX_FOLLOWED_DEPTH) return 'its references are nested too deeply';
  if (steps > MAX_STEPS) return 'its references multiply without limit';
  return undefined;
}

export function listReferences(schema: JsonObject): string[] {
  const references: string[] = [];
  walkSchema(schema, (inner) => {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = inner[keyword];
      if (typeof reference === 'string') references.push(reference);
    }
  });
  return references;
}

function isTooDeep(schema: JsonObject): boolean {
  let level: unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

interface Extent {
  /** The number of schemas that a value may be checked against if every reference is followed; a cycle counts once. */
  steps: number;
  /** The nesting depth of schemas if every reference is followed. */
  depth: number;
}

/** Measures each schema of the document once. */
function measure(root: JsonObject): Extent {
  const known = new Map<JsonObject, Extent>();
  const measureAt = (schema: JsonObject, level: number): Extent => {
    const measured = known.get(schema);
    if (measured !== undefined) return measured;
    if (level > MAX_FOLLOWED_DEPTH) return { steps: 1, depth: Number.POSITIVE_INFINITY };
    const extent = { steps: 1, depth: 1 };
    known.set(schema, extent);
    const add = (inner: JsonObject): JsonObject => {
      const { steps, depth } = measureAt(inner, level + 1);
      extent.steps += steps;
      extent.depth = Math.max(extent.depth, depth + 1);
      return inner;
    };
    mapSubschemas(schema, add);
    const target = typeof schema.$ref === 'string' ? resolvePointer(root, schema.$ref) : undefined;
    if (isObject(target)) add(target);
    return extent;
  };
  return measureAt(root, 0);
}

/** A schema with its own id is another document inside this one, in which `#` has another meaning. */
function hasInnerDocument(schema: JsonObject): boolean {
  let isFound = false;
  walkSchema(schema, ({ $id }, depth) => {
    isFound ||= depth > 0 && typeof $id === 'string' && !$id.startsWith('#');
  });
  return isFound;
}
