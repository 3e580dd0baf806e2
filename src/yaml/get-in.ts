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
