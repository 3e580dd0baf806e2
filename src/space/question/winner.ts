import type { DataQuery, Period } from '../../schema/data-query.ts';
import type { Draft } from './draft-shape.ts';
import type { Earlier } from './earlier.ts';
import { endOf } from './words/calendar.ts';

/**
 * The last query, limited to the one thing or time that its ranking found: after "which brand sells least", "that brand"
 * is the one that was shown. Unchanged if the message does not point at it.
 */
export function withWinner(
  base: DataQuery,
  earlier: Earlier,
  { draft, assumptions }: { draft: Draft; assumptions: string[] },
): DataQuery {
  if (!pointsAtWinner(base, earlier, draft)) return base;
  const free = { ...base, order: null, limit: null, limit_within: null };
  const period = periodOf(earlier.shownTime);
  if (period) {
    assumptions.push(`${earlier.shownTime} of the last answer is meant`);
    return { ...free, grain: null, period };
  }
  const { dimension = '', values = [] } = earlier.shown ?? {};
  assumptions.push(`${values.join(' and ')} of the last answer is meant`);
  return {
    ...free,
    dimensions: base.dimensions.filter((name) => name !== dimension),
    filters: [
      ...base.filters.filter((filter) => filter.dimension !== dimension),
      { dimension, values: [...values], negated: false },
    ],
  };
}

export function pointsAtWinner({ order, limit }: DataQuery, earlier: Earlier, { most }: Draft): boolean {
  const isOne = earlier.shown?.values.length === 1 || periodOf(earlier.shownTime) !== undefined;
  return earlier.isPointing === true && order !== null && limit === 1 && isOne && most === undefined;
}

/** A month, a quarter, a day or a year as an answer shows it. */
function periodOf(text: string | undefined): Period | undefined {
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(text ?? '') ?? [];
  if (year !== undefined) {
    const from = `${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}-01`;
    return { from, to: endOf('quarter', from), words: text ?? '' };
  }
  if (text === undefined || !/^\d{4}(?:-\d\d){0,2}$/.test(text)) return undefined;
  const [first = '', month = '01', day = '01'] = text.split('-');
  const from = `${first}-${month}-${day}`;
  const unit = (['year', 'month', 'day'] as const)[text.split('-').length - 1] ?? 'day';
  return { from, to: endOf(unit, from), words: text };
}
