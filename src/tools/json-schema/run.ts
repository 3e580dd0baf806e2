import type { Problem } from '../../errors.ts';
import type { Json } from '../../schema/json.ts';
import { describeFault, type Fault } from '../functions/describe-fault.ts';

/** A check of a value against a whole schema. Every keyword charges its steps before it takes them. */
export interface Run {
  /** Throws TooLarge when the steps are used up. */
  charge(steps: number): void;
  /** The number of steps taken. */
  steps: number;
  /** The nesting depth of the subschemas being applied. */
  depth: number;
}

/** A value inside the checked value, and where its findings are collected. */
export interface Visit {
  run: Run;
  place: Place | undefined;
  /** Absent if only the verdict counts, for example inside `not`. */
  problems: Problem[] | undefined;
  /** The keys and indexes that a keyword has evaluated; present only if `unevaluated…` needs them. */
  evaluated: (string | number)[] | undefined;
}

interface Place {
  parent: Place | undefined;
  key: string | number;
}

/** A keyword with its argument. False means that the value does not satisfy it. */
export type Check = (value: Json, visit: Visit) => boolean;

/** A compiled subschema. */
export interface Node {
  checks: Check[];
  /** True for the schema `false`, which no value satisfies. */
  isNever?: boolean;
}

export class TooLarge extends Error {}
export class EndlessReference extends Error {}

const MAX_PROBLEMS = 8;
const MAX_PATH_CHARS = 200;
/** Far more than real schemas and values need, and far less than the stack holds. */
const MAX_DEPTH = 1_000;
/** A run this deep at so few levels of the value follows circular references. */
const FEW_LEVELS = 100;

/** Applies a subschema. Stops at the first fault if problems are not collected. */
export function applyNode(node: Node, value: Json, visit: Visit): boolean {
  const { run } = visit;
  run.charge(1);
  if (++run.depth > MAX_DEPTH) throw listPlaces(visit).length < FEW_LEVELS ? new EndlessReference() : new TooLarge();
  const holds = applyChecks(node.checks, value, visit);
  run.depth--;
  return holds;
}

export function applyChecks(checks: readonly Check[], value: Json, visit: Visit): boolean {
  let holds = true;
  for (const check of checks) {
    if (check(value, visit)) continue;
    holds = false;
    if (!isCollecting(visit)) break;
  }
  return holds;
}

/** True if more problems are wanted after a fault. */
export function isCollecting({ problems }: Visit): boolean {
  return problems !== undefined && problems.length < MAX_PROBLEMS;
}

/** Records a problem, if they are collected, and returns false: the keyword's verdict. */
export function fail(visit: Visit, fault: Fault, name?: string): false {
  if (visit.problems === undefined || !isCollecting(visit)) return false;
  const parts = [...listPlaces(visit), ...(name === undefined ? [] : [name])].filter((part) => part !== '');
  visit.problems.push({ path: parts.join('.').slice(0, MAX_PATH_CHARS), message: describeFault(fault) });
  return false;
}

/** Visits the same value for its verdict alone. */
export function quietly(visit: Visit): Visit {
  const { run, place, evaluated } = visit;
  return { run, place, problems: undefined, evaluated };
}

/** Visits the same value and collects problems separately; they may turn out not to matter. */
export function apart(visit: Visit): Visit {
  const { run, place, evaluated } = visit;
  return { run, place, problems: isCollecting(visit) ? [] : undefined, evaluated };
}

/** Visits a value inside this one. */
export function inside(visit: Visit, key: string | number): Visit {
  const { run, place, problems, evaluated } = visit;
  return { run, place: { parent: place, key }, problems, evaluated: evaluated && [] };
}

/** Applies a subschema to the same value. Parts that a failed branch evaluated do not count. */
export function applyBranch(node: Node, value: Json, visit: Visit): boolean {
  const mark = visit.evaluated?.length ?? 0;
  const holds = applyNode(node, value, visit);
  if (!holds && visit.evaluated) visit.evaluated.length = mark;
  return holds;
}

function listPlaces(visit: Visit): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place = visit.place; place !== undefined; place = place.parent) keys.push(place.key);
  return keys.reverse();
}
