import type { JsonObject } from '../schema/json.ts';
import { resolvePointer, walkSchema } from './schema-walk.ts';

const MAX_CHARS = 200_000;
const MAX_DEPTH = 40;
const MAX_REFERENCES = 500;
/** References multiply: twenty schemas that each use the next one twice are a million checks. */
const MAX_STEPS = 50_000;

/** Why a foreign schema must not be compiled, or nothing. */
export function findSchemaFault(schema: JsonObject): string | undefined {
  if (isTooDeep(schema)) return `it is nested deeper than ${MAX_DEPTH} levels`;
  if (JSON.stringify(schema).length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`;
  const references = listReferences(schema);
  if (references.length > MAX_REFERENCES) return `it holds more than ${MAX_REFERENCES} references`;
  const foreign = references.find((reference) => !reference.startsWith('#'));
  if (foreign !== undefined) return `it refers to another document (${foreign.slice(0, 100)})`;
  if (countSteps(schema, schema, new Map()) > MAX_STEPS) return 'its references multiply without limit';
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

/** How many schemas one value may be checked against when every reference is followed; a cycle counts once. */
function countSteps(schema: JsonObject, root: JsonObject, known: Map<JsonObject, number>): number {
  const counted = known.get(schema);
  if (counted !== undefined) return counted;
  known.set(schema, 1);
  let steps = 1;
  walkSchema(schema, (inner) => {
    steps += 1;
    const target = typeof inner.$ref === 'string' ? resolvePointer(root, inner.$ref) : undefined;
    if (typeof target === 'object' && target !== null) steps += countSteps(target as JsonObject, root, known);
  });
  known.set(schema, steps);
  return steps;
}
