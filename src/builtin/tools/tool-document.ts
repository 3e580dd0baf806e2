import { STOP_WORDS } from '../../language/filler-words.ts';
import { stem } from '../../language/words.ts';
import type { ToolDefinition } from '../../models/model.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';

/** A tool as text: the words of its name, its description, its arguments and their values. */
export interface ToolDocument {
  tool: ToolDefinition;
  name: string[];
  description: string[];
  arguments: string[];
  details: string[];
  values: string[];
  /** The weight of each stem: higher in the name, lower in details. */
  weights: Map<string, number>;
  /** Its content words, each with the weight of a similar word. */
  strengths: Map<string, number>;
}

/** An argument of a tool, with its schema. */
export interface ToolArgument {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

const FIELD_WEIGHTS = { name: 3, description: 2, arguments: 1.2, values: 1, details: 0.5 } as const;
const FIELDS = ['name', 'description', 'arguments', 'details', 'values'] as const;
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...(
    'given which what when where how who whose using use used user function based specific specified optional default ' +
    'returns return provided such like named value values type e g i etc if not no any all there also into than then they ' +
    'them some help want need would'
  ).split(' '),
]);

/** Splits into lower-case words and numbers; `camelCase`, `snake_case` and dots separate words. */
export function splitWords(text: string): string[] {
  return (
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+|\d+(?:\.\d+)?/g) ?? []
  );
}

export function isContentWord(word: string): boolean {
  return !EMPTY_WORDS.has(word);
}

export function readToolDocument(tool: ToolDefinition): ToolDocument {
  const parts = { arguments: [] as string[], details: [] as string[], values: [] as string[] };
  collectArguments(tool.inputSchema, parts, 0);
  const fields = { name: splitWords(tool.name), description: splitWords(tool.description), ...parts };
  const weights = new Map<string, number>();
  for (const field of FIELDS) {
    const stems = new Set(fields[field].filter(isContentWord).map(stem));
    for (const word of stems) weights.set(word, (weights.get(word) ?? 0) + FIELD_WEIGHTS[field]);
  }
  return { tool, ...fields, weights, strengths: readStrengths(fields) };
}

function readStrengths(fields: Omit<ToolDocument, 'tool' | 'weights' | 'strengths'>): Map<string, number> {
  const weak = [...fields.arguments, ...fields.details, ...fields.values].filter(isContentWord);
  const strong = [...fields.name, ...fields.description].filter(isContentWord);
  return new Map([...weak.map((word) => [word, 0.8] as const), ...strong.map((word) => [word, 1] as const)]);
}

type Parts = Pick<ToolDocument, 'arguments' | 'details' | 'values'>;
const MAX_DEPTH = 4;

function collectArguments(schema: JsonObject, parts: Parts, depth: number): void {
  if (depth > MAX_DEPTH || !isObject(schema.properties)) return;
  for (const [name, value] of Object.entries(schema.properties)) {
    if (!isObject(value)) continue;
    parts.arguments.push(...splitWords(name));
    if (typeof value.description === 'string') parts.details.push(...splitWords(value.description));
    for (const option of enumOf(value)) parts.values.push(...splitWords(String(option)));
    collectArguments(value, parts, depth + 1);
    if (isObject(value.items)) collectArguments(value.items, parts, depth + 1);
  }
}

/** The values that a schema, or the items of its array, may have. */
export function enumOf(schema: JsonObject): Json[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  return isObject(schema.items) && Array.isArray(schema.items.enum) ? schema.items.enum : [];
}

export function argumentsOf(schema: JsonObject): ToolArgument[] {
  if (!isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, value]) =>
    isObject(value) ? [{ name, schema: value, isRequired: required.includes(name) }] : [],
  );
}
