import type { Path } from './problem.ts';

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
