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
}

/**
 * A period needs rows with a date of their own. The date of a customer is that of the sign-up, which "customers in May"
 * need not mean. A level is that of the end of one month.
 */
export function isTimed(
  measures: readonly Measure[],
  { model, facts }: View,
  { periods, grain, isDeed }: Times,
): boolean {
  const isDated = periods.length > 0 || grain !== undefined;
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
