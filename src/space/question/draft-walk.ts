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

/** "Average revenue per day": the average runs over the days, weeks or months. */
export function isPerUnit({ grain, markers }: Draft): boolean {
  const isEach = /^(?:per|a|each|every|daily|weekly|monthly)\b/i.test(grain?.words ?? '');
  return markers.has('average') && isEach && ['day', 'week', 'month'].includes(grain?.grain ?? '');
}

/** A filler or a preposition. */
export function isSmall(item: ReadItem): boolean {
  return item.kind === 'function' && ['filler', 'role', 'soft'].includes(item.sense.kind);
}

export function isBeside({ items }: Draft, a: number, b: number): boolean {
  const [from, to] = a < b ? [a, b] : [b, a];
  return items.slice(from + 1, to).every(isSmall);
}

export function isNot(item: ReadItem): boolean {
  return item.kind === 'function' && item.sense.kind === 'not';
}
