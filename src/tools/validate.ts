import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Problem } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { describeFault } from './describe-fault.ts';
import { FORMATS } from './formats.ts';
import { compilePattern, type LinearPattern } from './linear-pattern.ts';
import { findSchemaFault } from './schema-limits.ts';
import { fromEntries, mapSubschemas } from './schema-walk.ts';

export interface Validator {
  /** What is wrong with the value; empty when nothing is. Never throws: an unusable schema is a problem too. */
  check(schema: JsonObject, value: Json): Problem[];
}

const MAX_PROBLEMS = 8;

const MAX_COMPILED = 500;

/** A validator, or why there is none. */
type Compiled = ValidateFunction | string;

/** Compiles each schema once: the same object, or one with the same text. */
export function createValidator(): Validator {
  const byObject = new WeakMap<JsonObject, Compiled>();
  const byText = new Map<string, Compiled>();

  function compileOnce(schema: JsonObject): Compiled {
    const text = JSON.stringify(schema);
    const compiled = byText.get(text) ?? compile(schema);
    byText.set(text, compiled);
    const [oldest] = byText.keys();
    if (byText.size > MAX_COMPILED && oldest !== undefined) byText.delete(oldest);
    byObject.set(schema, compiled);
    return compiled;
  }
  return {
    check(schema, value) {
      const compiled = byObject.get(schema) ?? compileOnce(schema);
      return typeof compiled === 'string' ? [unusable(compiled)] : runValidator(compiled, value);
    },
  };
}

function runValidator(validate: ValidateFunction, value: Json): Problem[] {
  try {
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(toProblem);
  } catch {
    return [unusable('it refers to itself without end')];
  } finally {
    validate.errors = null;
  }
}

function unusable(reason: string): Problem {
  return { path: '', message: `cannot be checked, because the tool's schema is unusable: ${reason}` };
}

/** Each schema has a compiler of its own, so that names inside two schemas never meet. */
function compile(schema: JsonObject): ValidateFunction | string {
  const fault = findSchemaFault(schema);
  if (fault) return fault;
  const isOld = /draft-0[4-7]/.test(String(schema.$schema ?? ''));
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  try {
    const ajv = isOld ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
    return ajv.compile(dropUnsupportedPatterns(rest) as AnySchema);
  } catch {
    return 'it is not valid JSON Schema';
  }
}

/** Foreign patterns run in linear time; those that cannot were dropped before. */
function toRegExp(pattern: string): LinearPattern {
  return compilePattern(pattern) ?? { test: () => true };
}

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  meta: false,
  formats: FORMATS,
  code: { regExp: Object.assign(toRegExp, { code: 'linear' }) },
};

function isSupported(pattern: string): boolean {
  return compilePattern(pattern) !== undefined;
}

/** A pattern that needs backtracking says nothing; beside one, unlisted properties are allowed. */
function dropUnsupportedPatterns(schema: JsonObject): JsonObject {
  const copy = mapSubschemas(schema, dropUnsupportedPatterns);
  if (typeof copy.pattern === 'string' && !isSupported(copy.pattern)) delete copy.pattern;
  if (!isObject(copy.patternProperties)) return copy;
  const entries = Object.entries(copy.patternProperties);
  const kept = entries.filter(([pattern]) => isSupported(pattern));
  if (kept.length === entries.length) return copy;
  const { additionalProperties: _additional, unevaluatedProperties: _unevaluated, ...open } = copy;
  return { ...open, patternProperties: fromEntries(kept) };
}

function toProblem({ keyword, instancePath, params }: ErrorObject): Problem {
  const path = instancePath.slice(1).split('/').map(unescapePart);
  const named = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const whole = [...path, ...(typeof named === 'string' ? [named] : [])].filter((part) => part !== '').join('.');
  return { path: whole.slice(0, 200), message: describeFault({ keyword, params }) };
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
