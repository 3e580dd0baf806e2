import { addDays, weekday } from '../../../language/zoned-time.ts';
import type { Grain } from '../../../schema/data-query.ts';

function firstOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** The first day of the unit that holds a day. Weeks begin on Monday. */
export function startOf(unit: Grain, day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return addDays(day, -weekday(day));
    case 'month':
      return firstOfMonth(year, month - 1);
    case 'quarter':
      return firstOfMonth(year, month - 1 - ((month - 1) % 3));
    case 'year':
      return firstOfMonth(year, 0);
  }
}

export function endOf(unit: Grain, day: string): string {
  return addDays(move(unit, startOf(unit, day), 1), -1);
}

/** Moves the first day of a unit by whole units. */
export function move(unit: Grain, day: string, count: number): string {
  if (unit === 'day') return addDays(day, count);
  if (unit === 'week') return addDays(day, 7 * count);
  const [year = 0, month = 1] = day.split('-').map(Number);
  const months = { month: 1, quarter: 3, year: 12 }[unit] * count;
  return firstOfMonth(year, month - 1 + months);
}
