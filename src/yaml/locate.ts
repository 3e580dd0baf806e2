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
