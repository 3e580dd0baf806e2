import { isObject, type Json, type JsonObject } from '../schema/json.ts';

const MAX_DEPTH = 64;
const MAX_CHARS = 1_000_000;

/** Parses the arguments of a model, or returns the problem. Never throws. Keys named `__proto__` are dropped. */
export function parseArguments(text: string): { arguments: JsonObject } | { problem: string } {
  if (text.trim() === '') return { arguments: {} };
  if (text.length > MAX_CHARS) return { problem: `the arguments are longer than ${MAX_CHARS} characters` };
  const value = parseJson(text);
  if (value === undefined) return { problem: 'the arguments are not JSON; write one JSON object' };
  if (isTooDeep(value)) return { problem: `the arguments are nested deeper than ${MAX_DEPTH} levels` };
  if (!isObject(value)) return { problem: 'the arguments are not a JSON object' };
  return { arguments: value };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    return undefined;
  }
}

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
