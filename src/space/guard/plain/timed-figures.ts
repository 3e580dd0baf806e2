import type { Grain } from '../../../schema/data-query.ts';
import type { Measure, SpaceModel } from '../../model/model.ts';
import { measureOf } from './named-things.ts';
import type { Figure } from './pieces.ts';
import type { Days } from './plain-periods.ts';
import type { View } from './vocabulary.ts';

/** The state of now has no dates; its history has. */
export function timedMeasure(figure: Figure, model: SpaceModel, isDated: boolean): Measure | undefined {
  const measure = measureOf(figure, model);
  return isDated && measure?.overTime !== undefined ? model.measures.get(measure.overTime) : measure;
}

interface Times {
  periods: readonly Days[];
  grain: Grain | undefined;
  /** A verb says which date is meant: customers who signed up. */
  isDeed?: boolean;
  /** The units of time are ranked, or shown beside each other. */
  isRanked?: boolean | undefined;
}

/**
 * A period needs rows with a date of their own. The date of a customer is that of the sign-up, which "customers in May"
 * need not mean. A level is that of the end of one month.
 */
export function isTimed(
  measures: readonly Measure[],
  { model, facts }: View,
  { periods, grain, isDeed, isRanked }: Times,
): boolean {
  const isDated = periods.length > 0 || grain !== undefined;
  if (!areComparable(periods, facts.today) || !isWhole({ periods, grain, isRanked }, facts, measures)) return false;
  return measures.every(({ table, isLevel }) => {
    const { time, snapshot, label } = model.tables.get(table) ?? {};
    if (!isDated) return !isLevel;
    if (time === undefined || snapshot === true || (label !== undefined && !isDeed)) return false;
    if (!isLevel) return true;
    return grain === undefined ? periods.every((days) => isPastMonth(days, facts.today)) : grain === 'month';
  });
}

function isPastMonth({ from, to }: Days, today: string): boolean {
  const isWhole = from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && isMonthEnd(to);
  return isWhole && to < `${today.slice(0, 7)}-01`;
}

function isMonthEnd(day: string): boolean {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).getUTCDate() === 1;
}

/** Two periods are compared if they are about as long: a quarter that has just begun has less of everything. */
function areComparable([first, second]: readonly Days[], today: string): boolean {
  if (!first || !second) return true;
  return Math.abs(daysOf(first) - daysOf(second)) <= 3 && second.from < first.from && first.to <= today;
}

function daysOf({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

const MONTHS: Readonly<Partial<Record<Grain, number>>> = { month: 1, quarter: 3, year: 12 };

/**
 * "Revenue by quarter in September" is not that of the quarter, and a quarter of which the data has one month is never
 * the best. Only a month that is cut at the edge may be shown in a row of others.
 */
function isWhole(
  { periods, grain, isRanked }: Times,
  { ranges }: View['facts'],
  measures: readonly Measure[],
): boolean {
  const months = grain === undefined ? undefined : MONTHS[grain];
  if (months === undefined) return true;
  const data = ranges.get(measures[0]?.table ?? '');
  const [period] = periods;
  const isBegin = (day: string) => day.endsWith('-01') && (Number(day.slice(5, 7)) - 1) % months === 0;
  const isEnd = (day: string) => isMonthEnd(day) && Number(day.slice(5, 7)) % months === 0;
  if (period && !isBegin(period.from)) return false;
  if (period && daysOf(period) < months * 28) return false;
  if ((!isRanked && grain === 'month') || !data) return true;
  const from = period && period.from > data.from ? period.from : data.from;
  const to = period && period.to < data.to ? period.to : data.to;
  return isBegin(from) && isEnd(to);
}
