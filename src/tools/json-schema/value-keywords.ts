import { isObject, type Json } from '../../schema/json.ts';
import { InvalidSchema, type Keywords, readNumber, require, stepsOfText, toCanonicalText } from './keywords.ts';
import type { LinearPattern } from './patterns.ts';
import { type Check, fail, type Visit } from './run.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** The formats that are checked, all in linear time. Other formats are ignored. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  date: isDate,
  'date-time': isDateTime,
  email: (text) => EMAIL.test(text),
  uri: (text) => URL.canParse(text),
};

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const separator = text.search(/[Tt ]/);
  return separator === 10 && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Keywords about the value itself: fixed values, numbers and texts. */
export const compileValueKeywords: Keywords = (schema, compiler) => {
  const { format, pattern } = schema;
  if (format !== undefined && typeof format !== 'string') throw new InvalidSchema();
  if (pattern !== undefined && typeof pattern !== 'string') throw new InvalidSchema();
  return [
    'const' in schema &&
      checkFixed([schema.const ?? null], { keyword: 'const', params: { allowedValue: schema.const } }),
    schema.enum !== undefined && checkEnum(schema.enum),
    ...compileNumberKeywords(schema, compiler),
    checkLength(readNumber(schema.minLength), readNumber(schema.maxLength)),
    pattern !== undefined && checkPattern(compiler.pattern(pattern)),
    format !== undefined && checkFormat(format),
  ].filter((check) => typeof check === 'function');
};

/** Runs before all other keywords of its schema. */
export function checkType(type: Json, isNullable: boolean): Check {
  const names = [type].flat();
  const tests = names.map((name) =>
    require(typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined),
  );
  return (value, visit) =>
    tests.some((test) => test(value)) ||
    (isNullable && value === null) ||
    fail(visit, { keyword: 'type', params: { type } });
}

function checkEnum(choices: Json): Check {
  if (!Array.isArray(choices)) throw new InvalidSchema();
  return checkFixed(choices, { keyword: 'enum', params: { allowedValues: choices } });
}

/** Hashes the allowed values once, so that a long list costs no more than a short one. */
function checkFixed(allowed: readonly Json[], fault: Parameters<typeof fail>[1]): Check {
  const texts = new Set(allowed.map((value) => toCanonicalText(value, { charge: () => {} })));
  const isPlain = allowed.every((value) => typeof value !== 'object' || value === null);
  return (value, visit) => {
    const cannotBe = isPlain && typeof value === 'object' && value !== null;
    return (!cannotBe && texts.has(toCanonicalText(value, visit.run))) || fail(visit, fault);
  };
}

type Comparison = (value: number, limit: number) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: (value, divisor) => isMultiple(value, divisor),
};

const compileNumberKeywords: Keywords = (schema) =>
  Object.entries(COMPARISONS).flatMap(([keyword, holds]) => {
    // Draft 4 writes `exclusiveMinimum: true` beside `minimum`.
    if (typeof schema[keyword] === 'boolean') return [];
    const isExclusive = schema[`exclusive${keyword[0]?.toUpperCase()}${keyword.slice(1)}`] === true;
    const limit = readNumber(schema[keyword]);
    if (limit === undefined) return [];
    if (keyword === 'multipleOf' && limit <= 0) throw new InvalidSchema();
    const params = keyword === 'multipleOf' ? { multipleOf: limit } : { limit };
    return (value: Json, visit: Visit) =>
      typeof value !== 'number' ||
      (holds(value, limit) && !(isExclusive && value === limit)) ||
      fail(visit, { keyword, params });
  });

/** 19.99 is a multiple of 0.01, although the floating-point quotient is not whole. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return !Number.isFinite(quotient) || Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 2 ** -50;
}

function checkLength(least = 0, most = Number.POSITIVE_INFINITY): Check | undefined {
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined;
  return (value, visit) => {
    if (typeof value !== 'string') return true;
    visit.run.charge(stepsOfText(value));
    const length = countCharacters(value);
    if (length < least) fail(visit, { keyword: 'minLength', params: { limit: least } });
    if (length > most) fail(visit, { keyword: 'maxLength', params: { limit: most } });
    return length >= least && length <= most;
  };
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A pattern that needs backtracking is not checked here; the tool's server may check it. */
function checkPattern(pattern: LinearPattern | undefined): Check | undefined {
  if (pattern === undefined) return undefined;
  return (value, visit) => {
    if (typeof value !== 'string') return true;
    visit.run.charge(pattern.stepsFor(value));
    return pattern.test(value) || fail(visit, { keyword: 'pattern', params: {} });
  };
}

function checkFormat(format: string): Check | undefined {
  const test = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (test === undefined) return undefined;
  return (value, visit) => {
    if (typeof value !== 'string') return true;
    visit.run.charge(stepsOfText(value));
    return test(value) || fail(visit, { keyword: 'format', params: { format } });
  };
}
