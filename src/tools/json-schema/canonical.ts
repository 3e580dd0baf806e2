import type { Json } from '../../schema/json.ts';
import type { Run } from './run.ts';

/** The number of characters that can be copied or compared in the time of one step. */
const CHARS_PER_STEP = 16;

export function stepsOfText(text: string): number {
  return 1 + Math.floor(text.length / CHARS_PER_STEP);
}

/** Returns the same text for equal JSON values, whatever the order of their keys, and different texts otherwise. */
export function toCanonicalText(value: Json, run: Pick<Run, 'charge'>): string {
  if (typeof value === 'string') {
    run.charge(stepsOfText(value));
    return JSON.stringify(value);
  }
  run.charge(1);
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalText(item, run)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value);
  run.charge(stepsToSort(keys));
  const entries = keys.sort().map((key) => `${JSON.stringify(key)}:${toCanonicalText(value[key] ?? null, run)}`);
  return `{${entries.join(',')}}`;
}

/** Each key is compared about log2(n) times. */
function stepsToSort(keys: readonly string[]): number {
  const each = Math.ceil(Math.log2(keys.length + 1));
  return keys.reduce((steps, key) => steps + each * stepsOfText(key), 0);
}
