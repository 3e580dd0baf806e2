import type { Path } from './problem.ts';

/** The offset of a value in its text, with the values inside it. */
export interface Spot {
  at: number;
  keyAt?: number;
  children?: Map<string | number, Spot>;
}

export interface FoundSpot {
  offset: number;
  /** The number of steps of the path that exist in the text. */
  depth: number;
}

/** The place of a path, or of the nearest parent that exists. */
export function findSpot(root: Spot, path: Path, onKey = false): FoundSpot {
  let spot = root;
  let depth = 0;
  for (const step of path) {
    const next = spot.children?.get(step);
    if (!next) break;
    spot = next;
    depth++;
  }
  const isWhole = depth === path.length;
  return { offset: onKey && isWhole ? (spot.keyAt ?? spot.at) : spot.at, depth };
}

/** The value at a path; undefined if a step is missing. */
export function getIn(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step]; // an own key of an object, as checked above
  }
  return found;
}

/** The paths of a value that dotted patterns match; `*` stands for every entry of a list. */
export function findPaths(value: unknown, patterns: readonly string[]): Path[] {
  return patterns.flatMap((pattern) => findSteps(value, pattern.split('.')));
}

function findSteps(value: unknown, [step, ...rest]: readonly string[]): Path[] {
  if (step === undefined) return value === undefined ? [] : [[]];
  const steps = step !== '*' ? [step] : Array.isArray(value) ? [...value.keys()] : [];
  return steps.flatMap((at) => findSteps(getIn(value, [at]), rest).map((path) => [at, ...path]));
}
