import type { DueRange } from './task-store.ts';

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/** One day, or two days with a slash between; `..` leaves an end open. */
export const DUE_RANGE_PATTERN = `^(${DAY}|(${DAY}|\\.\\.)/(${DAY}|\\.\\.))$`;

export function parseDueRange(text: string): DueRange {
  const [first = '', last = first] = text.split('/');
  return { ...(first !== '..' && { from: first }), ...(last !== '..' && { to: last }) };
}
