import type { Draft, Marker, ReadItem } from './draft-shape.ts';
import type { FunctionSense } from './words/function-words.ts';

/** The state of reading a question from left to right. */
export interface Walk {
  draft: Draft;
  /** Markers since the last noun, in order. */
  pending: FunctionSense[];
  last: ReadItem | undefined;
  role: string | undefined;
  /** The last word is an "and" behind a group: "by month and region". */
  joinsGroup: boolean;
  /** A message that continues the last one: its pronouns point there. */
  isEdit: boolean;
}

export function has(walk: Walk, kind: Marker): boolean {
  return walk.pending.some((sense) => sense.kind === kind);
}

export function drop(walk: Walk, kind: Marker): void {
  walk.pending = walk.pending.filter((sense) => sense.kind !== kind);
}

/** A filler or a preposition. */
export function isSmall(item: ReadItem): boolean {
  return item.kind === 'function' && ['filler', 'role'].includes(item.sense.kind);
}

export function isBeside({ items }: Draft, a: number, b: number): boolean {
  const [from, to] = a < b ? [a, b] : [b, a];
  return items.slice(from + 1, to).every(isSmall);
}
