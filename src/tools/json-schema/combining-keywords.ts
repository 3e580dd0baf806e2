import { isObject, type Json } from '../../schema/json.ts';
import { type Compiler, type Keywords, readSchemas } from './keywords.ts';
import { keysOf } from './object-keywords.ts';
import {
  apart,
  applyBranch,
  applyChecks,
  applyNode,
  type Check,
  fail,
  inside,
  isCollecting,
  type Node,
  quietly,
  type Visit,
} from './run.ts';

/** Keywords that apply further schemas to the same value. */
export const compileCombiningKeywords: Keywords = (schema, compiler) => {
  const references = [schema.$ref, schema.$dynamicRef, schema.$recursiveRef].filter((one) => typeof one === 'string');
  const { not } = schema;
  const anyOf = readSchemas(schema.anyOf, compiler);
  const oneOf = readSchemas(schema.oneOf, compiler);
  return [
    ...references.map((reference) => applyTarget(compiler.follow(reference))),
    ...(readSchemas(schema.allOf, compiler)?.map(applyTarget) ?? []),
    anyOf && checkBranches(anyOf, Number.POSITIVE_INFINITY, 'anyOf'),
    oneOf && checkBranches(oneOf, 1, 'oneOf'),
    not === undefined ? undefined : checkNot(compiler.compile(not)),
    schema.if === undefined ? undefined : checkCondition(compiler.compile(schema.if), schema, compiler),
  ].filter((check) => check !== undefined);
};

function applyTarget(node: Node): Check {
  return (value, visit) => applyBranch(node, value, visit);
}

/** The problems of the branches count only if no branch holds. */
function checkBranches(nodes: readonly Node[], most: number, keyword: string): Check {
  return (value, visit) => {
    const branch = apart(visit);
    let count = 0;
    for (const node of nodes) {
      if (applyBranch(node, value, count === 0 ? branch : quietly(visit))) count++;
      // The first matching branch is enough for anyOf, unless another keyword needs the evaluated parts of the others.
      if (count > most || (count > 0 && most > 1 && !visit.evaluated)) break;
    }
    if (count > 0 && count <= most) return true;
    if (count === 0)
      for (const problem of branch.problems ?? []) if (isCollecting(visit)) visit.problems?.push(problem);
    return fail(visit, { keyword, params: {} });
  };
}

function checkNot(node: Node): Check {
  return (value, visit) => {
    const mark = visit.evaluated?.length ?? 0;
    const holds = !applyNode(node, value, quietly(visit));
    if (visit.evaluated) visit.evaluated.length = mark;
    return holds || fail(visit, { keyword: 'not', params: {} });
  };
}

function checkCondition(condition: Node, schema: { then?: Json; else?: Json }, compiler: Compiler): Check {
  const [then, otherwise] = [schema.then, schema.else].map((inner) =>
    inner === undefined ? undefined : compiler.compile(inner),
  );
  return (value, visit) => {
    const next = applyBranch(condition, value, quietly(visit)) ? then : otherwise;
    return next === undefined || applyBranch(next, value, visit);
  };
}

/**
 * `unevaluatedProperties` and `unevaluatedItems` run after all other keywords of their schema and see their results.
 */
export function checkUnevaluated(others: readonly Check[], schema: { properties?: Node; items?: Node }): Check {
  return (value, visit) => {
    const mark = visit.evaluated?.length ?? 0;
    const holds = applyChecks(others, value, visit);
    if (!holds && !isCollecting(visit)) return false;
    visit.run.charge((visit.evaluated?.length ?? 0) - mark);
    const known = new Set(visit.evaluated?.slice(mark));
    const rest = listParts(value, visit, schema).filter(([key]) => !known.has(key));
    let restHolds = true;
    for (const [key, inner] of rest) {
      visit.evaluated?.push(key);
      const node = typeof key === 'string' ? schema.properties : schema.items;
      if (node && !checkRest(node, key, inner, visit)) restHolds = false;
      if (!restHolds && !isCollecting(visit)) break;
    }
    return holds && restHolds;
  };
}

function listParts(value: Json, visit: Visit, schema: { properties?: Node; items?: Node }): [string | number, Json][] {
  if (isObject(value) && schema.properties) return keysOf(value, visit).map((key) => [key, value[key] ?? null]);
  if (!Array.isArray(value) || !schema.items) return [];
  visit.run.charge(value.length);
  return [...value.entries()];
}

function checkRest(node: Node, key: string | number, value: Json, visit: Visit): boolean {
  if (node.isNever) return fail(visit, { keyword: 'unevaluatedProperties', params: {} }, String(key));
  return applyNode(node, value, inside(visit, key));
}
