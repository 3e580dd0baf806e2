import type { Problem } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { checkUnevaluated, compileCombiningKeywords } from './combining-keywords.ts';
import { type Compiler, InvalidSchema, require } from './keywords.ts';
import { compileListKeywords } from './list-keywords.ts';
import { compileObjectKeywords } from './object-keywords.ts';
import { compilePattern, type LinearPattern } from './patterns.ts';
import { applyChecks, applyNode, type Check, EndlessReference, fail, type Node, type Run, TooLarge } from './run.ts';
import { resolvePointer, walkSchema } from './schema-walk.ts';
import { checkType, compileValueKeywords } from './value-keywords.ts';

interface Verdict {
  problems: Problem[];
  /** The work of the check. A step takes 0.03 to 0.4 µs. */
  steps: number;
  /** Why there is no verdict: the value is too large for this schema, or the schema is unusable. */
  stopped?: 'too large' | 'endless reference';
}

/** A schema that is ready to check values. */
export interface CompiledSchema {
  check(value: Json): Verdict;
}

/** Every check may take this many steps, so that small values pass rich schemas. */
export const FREE_STEPS = 100_000;
/** Ordinary schemas need less than one step for each character of a value. */
export const STEPS_PER_CHARACTER = 8;
/** A few tenths of a second. */
export const MAX_STEPS = 2_000_000;
/** Instructions of all patterns of a schema. Compiling one takes up to 20 µs. */
const MAX_PATTERN_SIZE = 5_000;

/**
 * Compiles a schema of any draft from 4 to 2020-12. Throws InvalidSchema if a keyword has an impossible argument. The
 * time of a check is bounded by the sizes of schema and value, whatever the schema contains.
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const root = createCompiler(schema).compile(schema);
  const schemaChars = JSON.stringify(schema).length;
  const usesEvaluated = hasKeyword(schema, ['unevaluatedProperties', 'unevaluatedItems']);
  return {
    check(value) {
      const run = createRun(() => schemaChars + JSON.stringify(value).length);
      const problems: Problem[] = [];
      try {
        applyNode(root, value, { run, place: undefined, problems, evaluated: usesEvaluated ? [] : undefined });
        return { problems, steps: run.steps };
      } catch (error) {
        if (error instanceof EndlessReference) return { problems: [], steps: run.steps, stopped: 'endless reference' };
        // A value that is nested too deeply overflows the stack, which throws a RangeError.
        if (error instanceof TooLarge || error instanceof RangeError)
          return { problems: [], steps: run.steps, stopped: 'too large' };
        throw error;
      }
    },
  };
}

/** Sizes are measured only when the free steps are used up. */
function createRun(measure: () => number): Run {
  let limit: number | undefined;
  const run: Run = {
    steps: 0,
    depth: 0,
    charge(steps) {
      const next = run.steps + steps;
      if (next > FREE_STEPS) {
        limit ??= Math.min(MAX_STEPS, FREE_STEPS + STEPS_PER_CHARACTER * measure());
        if (next > limit) throw new TooLarge();
      }
      run.steps = next;
    },
  };
  return run;
}

const NEVER: Node = {
  isNever: true,
  checks: [(_value, visit) => fail(visit, { keyword: 'false schema', params: {} })],
};
const ALWAYS: Node = { checks: [] };

function createCompiler(root: JsonObject): Compiler {
  const nodes = new Map<JsonObject, Node>();
  const patterns = new Map<string, LinearPattern | undefined>();
  const anchors = findAnchors(root);
  let patternSize = 0;
  const compiler: Compiler = {
    compile(schema) {
      if (typeof schema === 'boolean') return schema ? ALWAYS : NEVER;
      if (!isObject(schema)) throw new InvalidSchema();
      const known = nodes.get(schema);
      if (known) return known;
      // The node exists before its checks, so that a schema can refer to itself.
      const node: Node = { checks: [] };
      nodes.set(schema, node);
      node.checks = compileKeywords(schema, compiler);
      return node;
    },
    follow: (reference) => compiler.compile(require(anchors.get(reference) ?? resolvePointer(root, reference))),
    pattern(source) {
      if (patterns.has(source)) return patterns.get(source);
      const pattern = compilePattern(source);
      patternSize += pattern?.size ?? 0;
      if (patternSize > MAX_PATTERN_SIZE) throw new InvalidSchema('its patterns are too large');
      patterns.set(source, pattern);
      return pattern;
    },
  };
  return compiler;
}

function compileKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  const groups = [compileValueKeywords, compileListKeywords, compileObjectKeywords, compileCombiningKeywords];
  const checks = guardByType(
    schema,
    groups.flatMap((compile) => compile(schema, compiler)),
  );
  const { unevaluatedItems: items } = schema;
  const properties = hasUnknownPattern(schema, compiler) ? undefined : schema.unevaluatedProperties;
  if (properties === undefined && items === undefined) return checks;
  const nodes = {
    ...(properties !== undefined && { properties: compiler.compile(properties) }),
    ...(items !== undefined && { items: compiler.compile(items) }),
  };
  return [checkUnevaluated(checks, nodes)];
}

/** For a value of the wrong type, only the type is reported. */
function guardByType({ type, nullable }: JsonObject, others: readonly Check[]): Check[] {
  if (type === undefined) return [...others];
  const hasType = checkType(type, nullable === true);
  return [(value, visit) => hasType(value, visit) && applyChecks(others, value, visit)];
}

/** If a pattern cannot be checked, any key may match it, so no key is certainly unevaluated. */
function hasUnknownPattern({ patternProperties }: JsonObject, compiler: Compiler): boolean {
  return isObject(patternProperties) && Object.keys(patternProperties).some((source) => !compiler.pattern(source));
}

/** Maps `#name` to the schema with that anchor. In a single document, a dynamic anchor is an ordinary one. */
function findAnchors(root: JsonObject): Map<string, Json> {
  const anchors = new Map<string, Json>();
  walkSchema(root, (schema) => {
    for (const name of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof name === 'string') anchors.set(`#${name}`, schema);
    }
    if (typeof schema.$id === 'string' && schema.$id.startsWith('#')) anchors.set(schema.$id, schema);
  });
  return anchors;
}

function hasKeyword(schema: JsonObject, keywords: readonly string[]): boolean {
  let isFound = false;
  walkSchema(schema, (inner) => {
    isFound ||= keywords.some((keyword) => keyword in inner);
  });
  return isFound;
}
