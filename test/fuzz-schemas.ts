import fc from 'fast-check';
import type { Json, JsonObject } from '../src/schema/json.ts';
import { compileSchema, FREE_STEPS, MAX_STEPS, STEPS_PER_CHARACTER } from '../src/tools/json-schema/compile.ts';
import { InvalidSchema } from '../src/tools/json-schema/keywords.ts';
import { findSchemaFault } from '../src/tools/json-schema/schema-limits.ts';
import { anySchema, anyValue, countReads, enlarge } from './foreign-schemas.ts';

export interface FuzzReport {
  pairs: number;
  /** Schemas that are refused before a value is checked. */
  refused: number;
  /** Values that were too large for their schema. */
  stopped: number;
  /** The maximum number of steps, beyond the free ones, per character of schema and value. */
  stepsPerCharacter: number;
  /** The maximum number of reads of the value per step or character. */
  readsPerStep: number;
  /** Pairs that exceeded the bound; there must be none. */
  beyond: string[];
}

/** A step may read a part in several ways: its type, its keys, its length. */
const READS_PER_STEP = 6;

/** Checks pairs of foreign schemas and values and compares the work with the sizes of both. */
export function fuzzSchemas(options: { pairs: number; maxCopies: number; seed: number }): FuzzReport {
  const { pairs, maxCopies, seed } = options;
  const report: FuzzReport = { pairs: 0, refused: 0, stopped: 0, stepsPerCharacter: 0, readsPerStep: 0, beyond: [] };
  const pair = fc
    .tuple(anySchema, anyValue, enlarge(maxCopies))
    .map(([schema, value, change]) => change(schema, value));
  const count = (schema: JsonObject, value: Json) => {
    report.pairs++;
    if (!countOne(report, schema, value)) report.refused++;
  };
  fc.assert(
    fc.property(pair, ([schema, value]) => count(schema, value)),
    { numRuns: pairs, seed },
  );
  return report;
}

function countOne(report: FuzzReport, schema: JsonObject, value: Json): boolean {
  const check = compile(schema);
  if (!check) return false;
  const counted = countReads(value);
  const { steps, stopped } = check(counted.value);
  const characters = JSON.stringify(schema).length + JSON.stringify(value).length;
  if (stopped) report.stopped++;
  report.stepsPerCharacter = Math.max(report.stepsPerCharacter, (steps - FREE_STEPS) / characters);
  report.readsPerStep = Math.max(report.readsPerStep, counted.reads() / (steps + characters));
  const isWithin = steps <= Math.min(MAX_STEPS, FREE_STEPS + STEPS_PER_CHARACTER * characters);
  if (!isWithin || counted.reads() > READS_PER_STEP * (steps + characters))
    report.beyond.push(`${steps} steps, ${counted.reads()} reads: ${JSON.stringify(schema).slice(0, 300)}`);
  return true;
}

function compile(schema: JsonObject): ReturnType<typeof compileSchema>['check'] | undefined {
  if (findSchemaFault(schema)) return undefined;
  try {
    return compileSchema(schema).check;
  } catch (error) {
    if (error instanceof InvalidSchema) return undefined;
    throw error;
  }
}

/** `node test/fuzz-schemas.ts [seed]` checks 10,000 pairs of foreign schemas and values. */
if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
  const report = fuzzSchemas({ pairs: 10_000, maxCopies: 100, seed });
  console.log(JSON.stringify({ seed, ...report, beyond: report.beyond.slice(0, 5) }, null, 2));
  process.exitCode = report.beyond.length === 0 ? 0 : 1;
}
