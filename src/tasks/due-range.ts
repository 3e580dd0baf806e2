import type { DueRange } from './task-store.ts';

const PERIOD = String.raw`\d{4}(-(W(0[1-9]|[1-4]\d|5[0-3])|(0[1-9]|1[0-2])(-\d{2})?))?`;
const DAY_MS = 24 * 3_600_000;

/** A day, week, month or year of ISO 8601, or two of these separated by a slash; `..` leaves an end open. */
export const DUE_RANGE_PATTERN = `^(${PERIOD}|(${PERIOD}|\\.\\.)/(${PERIOD}|\\.\\.))$`;

/** The first day of the first period, and the last day of the last one. */
export function parseDueRange(text: string): DueRange {
  const [first = '', last = first] = text.split('/');
  return { ...(first !== '..' && { from: daysOf(first).from }), ...(last !== '..' && { to: daysOf(last).to }) };
}

function daysOf(period: string): Required<DueRange> {
  if (period.length === 10) return { from: period, to: period };
  const [year = '', part = ''] = period.split('-');
  if (part.startsWith('W')) return weekOf(Number(year), Number(part.slice(1)));
  const [firstMonth, lastMonth] = part === '' ? [1, 12] : [Number(part), Number(part)];
  const from = Date.UTC(Number(year), firstMonth - 1, 1);
  // Day 0 of a month is the last day of the month before.
  return { from: toDay(from), to: toDay(Date.UTC(Number(year), lastMonth, 0)) };
}

/** Weeks begin on Monday; the first week of a year contains January 4. */
function weekOf(year: number, week: number): Required<DueRange> {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((week - 1) * 7 - weekday) * DAY_MS;
  return { from: toDay(monday), to: toDay(monday + 6 * DAY_MS) };
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
