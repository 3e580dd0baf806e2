import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import {
  type Compiler,
  type Keywords,
  readEntries,
  readNamedSchemas,
  readNumber,
  readStrings,
  stepsOfText,
} from './keywords.ts';
import type { LinearPattern } from './patterns.ts';
import { applyBranch, applyNode, type Check, fail, inside, isCollecting, type Node, type Visit } from './run.ts';

/** Keywords about objects. */
export const compileObjectKeywords: Keywords = (schema, compiler) =>
  [
    checkKeyCount(readNumber(schema.minProperties), readNumber(schema.maxProperties)),
    checkRequired(readStrings(schema.required)),
    checkProperties(readRules(schema, compiler)),
    schema.propertyNames === undefined ? undefined : checkNames(compiler.compile(schema.propertyNames)),
    ...(readEntries(schema.dependentRequired)?.map(([name, needed]) => checkDependent(name, readStrings(needed))) ??
      []),
    ...(readEntries(schema.dependentSchemas)?.map(([name, inner]) => applyDependent(name, compiler.compile(inner))) ??
      []),
    ...(readEntries(schema.dependencies)?.map(([name, inner]) =>
      Array.isArray(inner) ? checkDependent(name, readStrings(inner)) : applyDependent(name, compiler.compile(inner)),
    ) ?? []),
  ].filter((check) => check !== undefined);

function checkKeyCount(least = 0, most = Number.POSITIVE_INFINITY): Check | undefined {
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined;
  return (value, visit) => {
    if (!isObject(value)) return true;
    const count = keysOf(value, visit).length;
    if (count < least) return fail(visit, { keyword: 'minProperties', params: { limit: least } });
    return count <= most || fail(visit, { keyword: 'maxProperties', params: { limit: most } });
  };
}

function checkRequired(names: readonly string[] | undefined): Check | undefined {
  if (names === undefined) return undefined;
  return (value, visit) => !isObject(value) || hasAll(value, names, visit);
}

function hasAll(value: JsonObject, names: readonly string[], visit: Visit): boolean {
  let holds = true;
  for (const name of names) {
    visit.run.charge(1);
    if (Object.hasOwn(value, name)) continue;
    holds = fail(visit, { keyword: 'required', params: {} }, name);
    if (!isCollecting(visit)) break;
  }
  return holds;
}

/** The schemas for each key. */
interface PropertyRules {
  named: ReadonlyMap<string, Node>;
  patterns: readonly { pattern: LinearPattern; node: Node }[];
  /** Applies to keys without another rule. */
  others: Node | undefined;
}

function readRules(schema: JsonObject, compiler: Compiler): PropertyRules {
  const entries = readEntries(schema.patternProperties) ?? [];
  const patterns = entries.flatMap(([source, inner]) => {
    const [pattern, node] = [compiler.pattern(source), compiler.compile(inner)];
    return pattern === undefined ? [] : [{ pattern, node }];
  });
  // If a pattern cannot be checked, any key may match it, so no key is certainly unlisted.
  const additional = patterns.length < entries.length ? undefined : schema.additionalProperties;
  return {
    named: readNamedSchemas(schema.properties, compiler) ?? new Map(),
    patterns,
    others: additional === undefined ? undefined : compiler.compile(additional),
  };
}

/** Iterates over the keys of the value, never over those of the schema: the value is bounded. */
function checkProperties(rules: PropertyRules): Check | undefined {
  if (rules.named.size === 0 && rules.patterns.length === 0 && rules.others === undefined) return undefined;
  return (value, visit) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const key of keysOf(value, visit)) {
      if (!checkProperty(rules, { key, value: value[key] ?? null }, visit)) holds = false;
      if (!holds && !isCollecting(visit)) break;
    }
    return holds;
  };
}

function checkProperty(rules: PropertyRules, entry: { key: string; value: Json }, visit: Visit): boolean {
  const { key, value } = entry;
  const nodes = rules.patterns.filter(({ pattern }) => {
    visit.run.charge(pattern.stepsFor(key));
    return pattern.test(key);
  });
  const named = rules.named.get(key);
  const chosen = [...(named ? [named] : []), ...nodes.map(({ node }) => node)];
  if (chosen.length === 0 && rules.others?.isNever)
    return fail(visit, { keyword: 'additionalProperties', params: {} }, key);
  if (chosen.length === 0 && rules.others) chosen.push(rules.others);
  if (chosen.length > 0) visit.evaluated?.push(key);
  let holds = true;
  for (const node of chosen) if (!applyNode(node, value, inside(visit, key))) holds = false;
  return holds;
}

function checkNames(node: Node): Check {
  return (value, visit) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const key of keysOf(value, visit)) {
      if (!applyNode(node, key, inside(visit, key))) holds = false;
      if (!holds && !isCollecting(visit)) break;
    }
    return holds;
  };
}

function checkDependent(name: string, needed: readonly string[] = []): Check {
  return (value, visit) => {
    visit.run.charge(1);
    return !isObject(value) || !Object.hasOwn(value, name) || hasAll(value, needed, visit);
  };
}

function applyDependent(name: string, node: Node): Check {
  return (value, visit) => {
    visit.run.charge(1);
    return !isObject(value) || !Object.hasOwn(value, name) || applyBranch(node, value, visit);
  };
}

/** Charges for the text of each key, because keywords look it up. */
export function keysOf(value: JsonObject, visit: Visit): string[] {
  const keys = Object.keys(value);
  for (const key of keys) visit.run.charge(stepsOfText(key));
  return keys;
}
