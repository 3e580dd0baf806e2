import type { Problem } from '../errors.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { type CompiledSchema, compileSchema } from './json-schema/compile.ts';
import { InvalidSchema } from './json-schema/keywords.ts';
import { findSchemaFault } from './json-schema/schema-limits.ts';

export interface Validator {
  /** Returns the problems of a value; empty if it is valid. Never throws: an unusable schema is a problem too. */
  check(schema: JsonObject, value: Json): Problem[];
}

export interface ValidatorOptions {
  /** Accepts values that are too large to check. Used for results: their call has already run. */
  acceptsTooLarge?: boolean;
}

const MAX_COMPILED = 500;

/** A compiled schema, or the reason why there is none. */
type Compiled = CompiledSchema | string;

/** Whether a value fits a schema that is asked about once. */
export async function accepts(schema: JsonObject, value: Json): Promise<boolean> {
  return createValidator().check(schema, value).length === 0;
}

/** Compiles each schema once, by object identity or by equal text. */
export function createValidator(options: ValidatorOptions = {}): Validator {
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
      if (typeof compiled === 'string') return [unusable(compiled)];
      const { problems, stopped } = compiled.check(value);
      if (stopped === 'endless reference') return [unusable('it refers to itself without end')];
      if (stopped === 'too large' && !options.acceptsTooLarge) return [TOO_LARGE];
      return problems;
    },
  };
}

/** The reason why values cannot be checked with this schema; undefined if they can. */
export function findSchemaProblem(schema: JsonObject): string | undefined {
  const compiled = compile(schema);
  return typeof compiled === 'string' ? compiled : undefined;
}

const TOO_LARGE: Problem = {
  path: '',
  message: "cannot be checked: too large for the tool's schema; send less at once",
};

function unusable(reason: string): Problem {
  return { path: '', message: `cannot be checked, because the tool's schema is unusable: ${reason}` };
}

function compile(schema: JsonObject): Compiled {
  const fault = findSchemaFault(schema);
  if (fault) return fault;
  try {
    return compileSchema(schema);
  } catch (error) {
    if (error instanceof InvalidSchema) return error.message;
    throw error;
  }
}
