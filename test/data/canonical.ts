import type { DataQuery } from '../../src/schema/data-query.ts';
import { countedTable, resolveMeasure } from './compute.ts';
import { columnsOf, entityOf, homeOf } from './joins.ts';
import type { Model } from './shop.ts';

const FIRST_DAY = '2024-11-01';

/** A text that is equal for queries with the same meaning, whatever their words and the order of their parts. */
export function canonical(model: Model, query: DataQuery): string {
  const [first] = query.measures;
  const base = first ? resolveMeasure(model, first).table : '';
  const measure = (name: string) => meaningOf(model, { name, aggregate: null, among: null });
  const dimension = (name: string) => homeOf(model, base, name) ?? columnsOf(model, name)[0] ?? name;
  const periods = [query.period, query.compare].map((period) => clip(model, period));
  return JSON.stringify({
    measures: query.measures.map((one) => meaningOf(model, one)).toSorted(),
    dimensions: query.dimensions.map(dimension).toSorted(),
    grain: query.grain,
    ...conditions(query, dimension),
    without: query.without && [query.without.table, clip(model, query.without.period)],
    having: query.having.map(({ measure: name, is, value }) => `${measure(name)} ${is} ${value}`).toSorted(),
    periods: query.compare ? periods.toSorted() : periods,
    // Without a limit the order changes no figure.
    order: query.limit === null ? null : query.order && [measure(query.order.by), query.order.direction],
    limit: query.limit,
    within: query.limit_within,
    share: query.share,
    part: query.part && conditions(query.part, dimension),
    per: query.per && (entityOf(model, query.per)?.name ?? query.per),
  });
}

function meaningOf(model: Model, one: DataQuery['measures'][number]): string {
  const { table, how, expressions, where } = resolveMeasure(model, one);
  return JSON.stringify([table, how, expressions, where, one.among && (countedTable(model, one.name) ?? one.name)]);
}

type Conditions = Pick<DataQuery, 'filters' | 'named' | 'numbers'>;

function conditions({ filters, named, numbers }: Conditions, dimension: (name: string) => string) {
  return {
    filters: filters.map((one) => `${dimension(one.dimension)} ${one.negated} ${one.values.toSorted()}`).toSorted(),
    named: named.map(({ name, negated }) => `${name} ${negated}`).toSorted(),
    numbers: numbers.map(({ column, is, value }) => `${column} ${is} ${value}`).toSorted(),
  };
}

/** The part of a period that has data: "in 2025" and "this year" are then the same. */
function clip({ today }: Model, period: DataQuery['period']): string | null {
  if (!period) return null;
  return `${period.from < FIRST_DAY ? FIRST_DAY : period.from}..${period.to > today ? today : period.to}`;
}
