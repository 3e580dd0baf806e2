import type { DataQuery } from '../../src/schema/data-query.ts';
import type { Cell } from './shop.ts';

type Period = NonNullable<DataQuery['period']>;
type Grain = NonNullable<DataQuery['grain']>;

/** True if a day is inside a period. A month counts if its first day is. */
export function isWithin(value: Cell | undefined, { from, to }: Pick<Period, 'from' | 'to'>): boolean {
  if (typeof value !== 'string') return false;
  const day = value.length === 7 ? `${value}-01` : value.slice(0, 10);
  return day >= from && day <= to;
}

const DAY_MS = 86_400_000;

/** The step of a series that a day belongs to; a week is named by its Monday. */
export function bucketOf(value: string, grain: Grain): string {
  const day = value.length === 7 ? `${value}-01` : value.slice(0, 10);
  switch (grain) {
    case 'day':
      return day;
    case 'week': {
      const time = Date.parse(`${day}T00:00:00Z`);
      const afterMonday = (new Date(time).getUTCDay() + 6) % 7;
      return new Date(time - afterMonday * DAY_MS).toISOString().slice(0, 10);
    }
    case 'month':
      return day.slice(0, 7);
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
    case 'year':
      return day.slice(0, 4);
  }
}
