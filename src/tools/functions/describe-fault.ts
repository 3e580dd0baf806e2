import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /^\s*at .*?\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):\d+\)?$/;

/** The innermost line of a stack that is in the folder, such as `price.ts:2`; undefined if none is. */
export function findPlace(stack: string, folder: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, address, number] = FRAME.exec(line) ?? [];
    const path = address && toPath(address);
    const inside = path && relative(folder, path);
    const isOwn = inside && !inside.startsWith('..') && !inside.split(sep).includes('node_modules');
    if (isOwn) return `${inside}:${number}`;
  }
  return undefined;
}

/** Removes the query that a loader adds to an address. */
function toPath(address: string): string | undefined {
  if (!address.startsWith('file:')) return address;
  try {
    return fileURLToPath(new URL(address).href.split(/[?#]/, 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

type Params = Record<string, unknown>;

/** A keyword that a value does not satisfy. */
export interface Fault {
  keyword: string;
  params: Params;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a date, such as 2026-01-31',
  'date-time': 'a date and time, such as 2026-01-31T10:00:00Z',
  email: 'an email address',
  uri: 'an address, such as https://example.com',
};

const MAX_LISTED_CHARS = 500;

const SENTENCES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not an argument of this tool',
  unevaluatedProperties: () => 'is not an argument of this tool',
  enum: ({ allowedValues }) => `must be one of ${listValues(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${listValues([allowedValue])}`,
  type: ({ type }) => `must be ${[type].flat().map(nameType).join(' or ')}`,
  format: ({ format }) => `must be ${FORMATS[String(format)] ?? `a valid ${format}`}`,
  pattern: () => 'does not have the required form',
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`),
  maxLength: ({ limit }) => `may have at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'entry')}`),
  maxItems: ({ limit }) => `may have at most ${count(limit, 'entry')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'key')}`,
  maxProperties: ({ limit }) => `may have at most ${count(limit, 'key')}`,
  uniqueItems: () => 'must not contain duplicates',
  minimum: ({ limit }) => `must be at least ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
};

/** Describes a fault for people. */
export function describeFault({ keyword, params }: Fault): string {
  return SENTENCES[keyword]?.(params) ?? 'does not have one of the allowed forms';
}

function nameType(type: unknown): string {
  return TYPES[String(type)] ?? String(type);
}

function count(limit: unknown, what: string): string {
  if (limit === 1) return `1 ${what}`;
  return `${limit} ${what.endsWith('y') && what !== 'key' ? `${what.slice(0, -1)}ies` : `${what}s`}`;
}

function listValues(values: unknown): string {
  const list = Array.isArray(values) ? values : [values];
  return list
    .map((value) => JSON.stringify(value))
    .join(', ')
    .slice(0, MAX_LISTED_CHARS);
}
