import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { LinearPattern } from './patterns.ts';
import type { Check, Node, Run } from './run.ts';

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

/** Compiles the schemas inside a keyword. */
export interface Compiler {
  compile(schema: Json): Node;
  /** The schema that a reference names. */
  follow(reference: string): Node;
  /** Undefined if the pattern cannot be matched in linear time. */
  pattern(source: string): LinearPattern | undefined;
}

/** The checks of a group of keywords, in the order in which they run. */
export type Keywords = (schema: JsonObject, compiler: Compiler) => Check[];

/** The schema cannot be used; the message is the reason. */
export class InvalidSchema extends Error {
  constructor(reason = 'it is not valid JSON Schema') {
    super(reason);
  }
}

export function require<T>(value: T | undefined): T {
  if (value === undefined) throw new InvalidSchema();
  return value;
}

/** The number of a keyword; undefined if the keyword is absent. */
export function readNumber(argument: Json | undefined): number | undefined {
  if (argument === undefined || typeof argument === 'number') return argument;
  throw new InvalidSchema();
}

export function readStrings(argument: Json | undefined): string[] | undefined {
  if (argument === undefined) return undefined;
  if (!Array.isArray(argument)) throw new InvalidSchema();
  return argument.map((item) => require(typeof item === 'string' ? item : undefined));
}

export function readSchemas(argument: Json | undefined, compiler: Compiler): Node[] | undefined {
  if (argument === undefined) return undefined;
  if (!Array.isArray(argument)) throw new InvalidSchema();
  return argument.map((item) => compiler.compile(item));
}

export function readNamedSchemas(argument: Json | undefined, compiler: Compiler): Map<string, Node> | undefined {
  const entries = readEntries(argument);
  return entries && new Map(entries.map(([name, schema]) => [name, compiler.compile(schema)]));
}

export function readEntries(argument: Json | undefined): [string, Json][] | undefined {
  if (argument === undefined) return undefined;
  if (!isObject(argument)) throw new InvalidSchema();
  return Object.entries(argument);
}
