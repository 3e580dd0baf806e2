import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { findSchemaFault, listReferences } from './json-schema/schema-limits.ts';
import { fromEntries, resolvePointer, walkSchema } from './json-schema/schema-walk.ts';
import { isSimilarName, toComparableName } from './known-names.ts';

export type Removal =
  | { outcome: 'removed'; schema: JsonObject }
  /** The schema does not mention the path. */
  | { outcome: 'missing' }
  | { outcome: 'unsafe'; reason: string };

/** State of a removal: the references followed so far, and the findings. */
interface Removing {
  root: JsonObject;
  following: readonly string[];
  sum: { isDeclared: boolean; faults: string[] };
}

/**
 * Returns a schema without an argument. Every mention of it is removed. If the rest would then change its meaning, it
 * becomes looser, never stricter: the sent arguments are checked against the original as well.
 */
export function removePath(schema: JsonObject, path: readonly string[]): Removal {
  const fault = findSchemaFault(schema) ?? findTangle(schema);
  if (fault) return { outcome: 'unsafe', reason: fault };
  const removing: Removing = { root: schema, following: [], sum: { isDeclared: false, faults: [] } };
  const reduced = reduce(schema, path, removing);
  const { isDeclared, faults } = removing.sum;
  if (faults[0] !== undefined) return { outcome: 'unsafe', reason: faults[0] };
  if (!isDeclared) return { outcome: 'missing' };
  return { outcome: 'removed', schema: dropUnusedDefinitions(reduced) };
}

/** Finds references that would make one place of the schema describe two arguments. */
function findTangle(schema: JsonObject): string | undefined {
  const odd = listReferences(schema).find((reference) => !/^#\/(\$defs|definitions)\/[^/]+$/.test(reference));
  if (odd !== undefined) return `its schema refers to a part of itself (${odd.slice(0, 100)})`;
  let name: string | undefined;
  walkSchema(schema, (inner, depth) => {
    for (const keyword of ['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$dynamicRef', '$recursiveRef']) {
      if (keyword in inner) name ??= keyword;
    }
    if (depth > 0 && '$id' in inner) name ??= '$id';
  });
  return name && `its schema uses ${name}`;
}

function reduce(node: JsonObject, path: readonly string[], removing: Removing): JsonObject {
  if (typeof node.$ref === 'string') return reduceReference(node, node.$ref, path, removing);
  const [head = '', ...rest] = path;
  findOtherSpellings(node, head, removing);
  const inner = (value: Json): Json => (isObject(value) ? reduce(value, path, removing) : value);
  const steps = [
    (schema: JsonObject) => reduceProperties(schema, head, rest, removing),
    (schema: JsonObject) => (rest.length === 0 ? reduceDependencies(schema, head) : schema),
    (schema: JsonObject) => reduceBranches(schema, inner),
    (schema: JsonObject) => reduceConditions(schema, inner, removing),
    (schema: JsonObject) => reduceValues(schema, path),
  ];
  return steps.reduce((schema, step) => step(schema), node);
}

/** Copies the referenced schema in and reduces the copy. The definition itself stays for its other users. */
function reduceReference(node: JsonObject, reference: string, path: readonly string[], removing: Removing): JsonObject {
  const target = resolvePointer(removing.root, reference);
  const { $ref: _reference, ...siblings } = node;
  const own = reduce(siblings, path, removing);
  if (!isObject(target)) return { ...own, $ref: reference };
  const isCircular = removing.following.includes(reference);
  const following = [...removing.following, reference];
  const copy = isCircular ? target : reduce(target, path, { ...removing, following });
  if (!isCircular && isDeepStrictEqual(copy, target)) return { ...own, $ref: reference };
  if (isCircular || reaches(target, reference, removing.root)) {
    removing.sum.faults.push(`it is part of a schema that contains itself (${reference})`);
  }
  const others = Array.isArray(own.allOf) ? own.allOf : [];
  return { ...own, allOf: [...others, copy] };
}

function reaches(schema: JsonObject, reference: string, root: JsonObject): boolean {
  const seen = new Set<string>();
  const open = listReferences(schema);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === reference) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    const target = resolvePointer(root, next);
    if (isObject(target)) open.push(...listReferences(target));
  }
  return false;
}

/** A schema with free names could accept the argument under another name. */
function findOtherSpellings(node: JsonObject, head: string, { sum: { faults } }: Removing): void {
  const names = isObject(node.properties) ? Object.keys(node.properties) : [];
  const alike = names.find((name) => isSimilarName(name, head));
  if (alike !== undefined) faults.push(`another argument, ${alike}, looks like it`);
  const patterns = isObject(node.patternProperties) ? Object.keys(node.patternProperties) : [];
  const matching = patterns.find((pattern) => !cannotMatch(pattern, head));
  if (matching !== undefined) faults.push(`arguments that match ${matching} could take its place`);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'propertyNames']) {
    const rule = node[keyword];
    if (isObject(rule) && Object.keys(rule).length > 0)
      faults.push(`${keyword} lets the model add arguments by any name`);
  }
}

/** True only if the pattern begins with letters that the name does not begin with. */
function cannotMatch(pattern: string, name: string): boolean {
  if (pattern.includes('|')) return false;
  const [, letters = ''] = /^\^([a-zA-Z0-9-]+)(?![*?{])/.exec(pattern) ?? [];
  return letters !== '' && !toComparableName(name).startsWith(toComparableName(letters));
}

function reduceProperties(node: JsonObject, head: string, rest: readonly string[], removing: Removing): JsonObject {
  const properties = isObject(node.properties) ? node.properties : undefined;
  const required = Array.isArray(node.required) ? node.required : undefined;
  const property = properties && Object.hasOwn(properties, head) ? properties[head] : undefined;
  if (rest.length > 0) {
    if (!properties || !isObject(property)) return node;
    return { ...node, properties: { ...properties, [head]: reduce(property, rest, removing) } };
  }
  if (property === undefined && !required?.includes(head)) return node;
  removing.sum.isDeclared = true;
  const { minProperties: _min, maxProperties: _max, ...kept } = node;
  return {
    ...kept,
    ...(properties && { properties: without(properties, head) }),
    ...(required && { required: required.filter((name) => name !== head) }),
  };
}

function without(named: JsonObject, name: string): JsonObject {
  return fromEntries(Object.entries(named).filter(([key]) => key !== name));
}

/** The argument is always sent, so its dependencies always apply, and nothing can depend on its absence. */
function reduceDependencies(node: JsonObject, head: string): JsonObject {
  let reduced = node;
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const named = reduced[keyword];
    if (!isObject(named)) continue;
    const withoutHead = (value: Json) => (Array.isArray(value) ? value.filter((name) => name !== head) : value);
    const kept = Object.entries(without(named, head)).map(([name, value]) => [name, withoutHead(value)] as const);
    reduced = { ...reduced, [keyword]: fromEntries(kept) };
    const always = Object.hasOwn(named, head) ? named[head] : undefined;
    if (Array.isArray(always))
      reduced = { ...reduced, required: [...new Set([...listOf(reduced.required), ...always])] };
    if (isObject(always)) reduced = { ...reduced, allOf: [...listOf(reduced.allOf), always] };
  }
  return reduced;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function reduceBranches(node: JsonObject, inner: (value: Json) => Json): JsonObject {
  let reduced = node;
  for (const keyword of ['allOf', 'anyOf', 'dependentSchemas', 'dependencies']) {
    const value = reduced[keyword];
    if (Array.isArray(value)) reduced = { ...reduced, [keyword]: value.map(inner) };
    if (isObject(value)) {
      const entries = Object.entries(value).map(([name, item]) => [name, inner(item)] as const);
      reduced = { ...reduced, [keyword]: fromEntries(entries) };
    }
  }
  if (!Array.isArray(reduced.oneOf)) return reduced;
  const branches = reduced.oneOf.map(inner);
  if (isDeepStrictEqual(branches, reduced.oneOf)) return reduced;
  // Branches that differed only by the argument are now equal, so several may match.
  const { oneOf: _oneOf, ...others } = reduced;
  return { ...others, allOf: [...listOf(others.allOf), { anyOf: branches }] };
}

function reduceConditions(node: JsonObject, inner: (value: Json) => Json, removing: Removing): JsonObject {
  const speaksOf = (value: Json | undefined) => value !== undefined && !isDeepStrictEqual(inner(value), value);
  if (speaksOf(node.not)) removing.sum.faults.push('its schema says when it must not be there');
  const { if: condition, then: _then, else: _else, ...others } = node;
  if (speaksOf(condition)) return others;
  const isBranch = (keyword: string) => keyword === 'then' || keyword === 'else';
  const entries = Object.entries(node).map(([key, value]) => [key, isBranch(key) ? inner(value) : value] as const);
  return fromEntries(entries);
}

/** Objects written into the schema: examples lose the argument, fixed values are checked by the original only. */
function reduceValues(node: JsonObject, path: readonly string[]): JsonObject {
  const { const: fixed, enum: choices, ...rest } = node;
  const speaksOf = (value: Json) => !isDeepStrictEqual(dropAt(value, path), value);
  return {
    ...rest,
    ...(fixed !== undefined && !speaksOf(fixed) && { const: fixed }),
    ...(choices !== undefined && !listOf(choices).some(speaksOf) && { enum: choices }),
    ...(node.default !== undefined && { default: dropAt(node.default, path) }),
    ...(Array.isArray(node.examples) && { examples: node.examples.map((example) => dropAt(example, path)) }),
  };
}

function dropAt(value: Json, [head = '', ...rest]: readonly string[]): Json {
  if (!isObject(value) || !Object.hasOwn(value, head)) return value;
  if (rest.length === 0) return without(value, head);
  return { ...value, [head]: dropAt(value[head] ?? null, rest) };
}

/** Removes definitions that only the removed argument used: they would still reveal it. */
function dropUnusedDefinitions(schema: JsonObject): JsonObject {
  const { $defs, definitions, ...rest } = schema;
  const used = new Set<string>();
  const open = listReferences(rest);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (used.has(next)) continue;
    used.add(next);
    const target = resolvePointer(schema, next);
    if (isObject(target)) open.push(...listReferences(target));
  }
  const keep = (named: Json | undefined, at: string) => {
    if (!isObject(named)) return undefined;
    const isUsed = (name: string) => used.has(`#/${at}/${encodePart(name)}`) || used.has(`#/${at}/${name}`);
    return fromEntries(Object.entries(named).filter(([name]) => isUsed(name)));
  };
  const kept = { $defs: keep($defs, '$defs'), definitions: keep(definitions, 'definitions') };
  return {
    ...rest,
    ...(kept.$defs && Object.keys(kept.$defs).length > 0 && { $defs: kept.$defs }),
    ...(kept.definitions && Object.keys(kept.definitions).length > 0 && { definitions: kept.definitions }),
  };
}

function encodePart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
