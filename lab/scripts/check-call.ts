import { isObject, type Json, type JsonObject } from '../../src/schema/json.ts';

/** The accepted values of each argument, as BFCL lists them. An empty text in the list allows the argument's absence. */
export type AcceptedArguments = Readonly<Record<string, readonly Json[]>>;

/** The names of the arguments that BFCL's own checker would refuse. */
export function findWrongArguments(
  given: JsonObject,
  accepted: AcceptedArguments,
  required: readonly string[] = [],
): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(accepted, name));
  const wrong = Object.entries(accepted).flatMap(([name, values]) => {
    const value = given[name];
    if (value === undefined) return values.includes('') && !required.includes(name) ? [] : [name];
    return values.some((one) => isSame(value, one)) ? [] : [name];
  });
  return [...unknown, ...wrong];
}

function isSame(given: Json, accepted: Json): boolean {
  if (typeof given === 'string' && typeof accepted === 'string') return plain(given) === plain(accepted);
  if (Array.isArray(given) && Array.isArray(accepted))
    return given.length === accepted.length && given.every((item, index) => isSame(item, accepted[index] ?? null));
  if (isObject(given) && isObject(accepted)) return findWrongArguments(given, toLists(accepted)).length === 0;
  return given === accepted;
}

/** The values of an object in the truth are lists, too; a few rows write them bare. */
function toLists(accepted: JsonObject): AcceptedArguments {
  return Object.fromEntries(
    Object.entries(accepted).map(([name, values]) => [name, Array.isArray(values) ? values : [values]]),
  );
}

/** BFCL compares texts without case, spaces and these marks. */
function plain(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .replaceAll("'", '"')
    .toLowerCase();
}
