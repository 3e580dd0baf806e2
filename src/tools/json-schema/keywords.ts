import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { LinearPattern } from './linear-pattern.ts';
import type { Check, Node } from './run.ts';

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
