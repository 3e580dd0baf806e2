import type { Comparison, Conditions, DataQuery, QueryMeasure } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import type { Measure, SpaceModel } from '../model/model.ts';
import { toPlural } from '../model/nouns.ts';
import { resolveDimension } from '../model/resolve.ts';

/**
 * Says in one line what a query computes: measure, grouping, conditions, period as dates, order. It is made from the
 * query alone, by code that reads no question, so that a wrong reading is visible.
 */
export function writeEcho(query: DataQuery, options: SpaceView): string {
  const table = tableOf(query.measures[0], options.model);
  const say = (name: string) => nameOf(name, table, options.model);
  const groups = [...(query.grain ? [query.grain] : []), ...query.dimensions.map(say)];
  const parts = [
    [measuresOf(query, options.model), ...(groups.length > 0 ? [`by ${groups.join(' and ')}`] : [])].join(' '),
    ...conditionsOf(query, say, options.model),
    ...query.having.map(
      ({ measure, is, value }) => `${measure} ${COMPARISONS[is]} ${boundOf(measure, value, options.model)}`,
    ),
    ...(query.without ? [withoutOf(query.without, say, options.model)] : []),
    periodOf(query, options),
    ...orderOf(query, say),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const MAX_NAMED = 10;
const COMPARISONS: Readonly<Record<Comparison, string>> = {
  more: 'more than',
  at_least: 'at least',
  less: 'less than',
  at_most: 'at most',
  exactly: 'exactly',
  not: 'not',
};

function boundOf(name: string, value: number, model: SpaceModel): string {
  const isRate = model.measures.get(name)?.unit === 'percent';
  return isRate ? `${Number((value * 100).toPrecision(12))} percent` : String(value);
}

function tableOf(asked: QueryMeasure | undefined, model: SpaceModel): string {
  return asked?.among ?? model.measures.get(asked?.name ?? '')?.table ?? '';
}

/** Says whose it is where a dimension has several homes: "customer region". */
function nameOf(name: string, table: string, model: SpaceModel): string {
  const found = resolveDimension(model, table, name);
  const home = found && 'place' in found ? found.place.table : '';
  return model.dimensions.get(name)?.say[home] ?? name;
}

function measuresOf(query: DataQuery, model: SpaceModel): string {
  return query.measures.map((asked) => measureOf(asked, query, model)).join(' and ');
}

function measureOf({ name, aggregate, among, distinct }: QueryMeasure, query: DataQuery, model: SpaceModel): string {
  const measure = model.measures.get(name);
  if (distinct != null) return `number of different ${toPlural(distinct)} of ${measure?.table.replaceAll('_', ' ')}`;
  const base = `${baseOf(name, measure)}${among === null ? '' : ` with ${among.replaceAll('_', ' ')}`}`;
  const plain =
    aggregate === null ? base : `${aggregate} of ${base} over ${measure?.table.replaceAll('_', ' ') ?? 'rows'}`;
  if (query.share === 'of_group') return `${plain} and its share of all`;
  if (query.share !== 'none') {
    const table = among ?? measure?.table ?? '';
    const say = (dimension: string) => nameOf(dimension, table, model);
    const part = conditionsOf(query.part ?? { filters: [], named: [], numbers: [] }, say, model);
    if (query.share === 'beside_rest') return `${plain} (${part.join(' and ')}) beside all the others`;
    return `share of ${measure?.isRowCount ? measure.unit : plain} (${part.join(' and ')})`;
  }
  if (['day', 'week', 'month'].includes(query.per ?? '')) return `${plain} divided by the ${query.per}s of the period`;
  return query.per === null
    ? plain
    : `${plain} divided by ${toPlural(query.per)} with ${measure?.table.replaceAll('_', ' ')}`;
}

function baseOf(name: string, measure: Measure | undefined): string {
  if (!measure || measure.isRowCount) return name;
  const isSaid = name.includes('average') || name.includes('rate') || name.includes('total');
  if (measure.kind === 'average' && !isSaid) return `average ${name}`;
  return name;
}

function conditionsOf(conditions: Conditions, say: (name: string) => string, model: SpaceModel): string[] {
  return [
    ...conditions.filters.map(({ dimension, values, negated }) =>
      values.length === 0
        ? `${negated ? 'with any' : 'without a'} ${say(dimension)}`
        : `${say(dimension)} ${negated ? 'not ' : ''}${listOf(values)}`,
    ),
    ...conditions.named.map(({ name, negated }) => `${negated ? 'not ' : ''}${model.filters.get(name)?.say ?? name}`),
    ...conditions.numbers.map(
      ({ column, is, value }) => `${column.split('.')[1]?.replaceAll('_', ' ')} ${COMPARISONS[is]} ${value}`,
    ),
  ];
}

function listOf(values: readonly string[]): string {
  const more = values.length > MAX_NAMED ? ` or ${values.length - MAX_NAMED} more` : '';
  return `${values.slice(0, MAX_NAMED).join(' or ')}${more}`;
}

function withoutOf(
  { table, period, filters = [], named = [] }: NonNullable<DataQuery['without']>,
  say: (name: string) => string,
  model: SpaceModel,
): string {
  const own = conditionsOf({ filters, named, numbers: [] }, say, model);
  const which = own.length > 0 ? ` (${own.join(', ')})` : '';
  return `without ${table.replaceAll('_', ' ')}${which}${spanOf(period)}`;
}

function spanOf(period: DataQuery['period']): string {
  if (!period) return '';
  return period.from === period.to ? ` on ${period.from}` : ` from ${period.from} to ${period.to}`;
}

function periodOf(query: DataQuery, { model, facts }: SpaceView): string {
  const { period, compare } = query;
  const table = tableOf(query.measures[0], model);
  const { label, time = '' } = model.tables.get(table) ?? {};
  // The date of a customer is one of several that may be meant.
  const date = label === undefined ? '' : `${time.replaceAll('_', ' ')} `;
  if (period)
    return `${date}${spanOf(period).trim()}${compare ? `, compared with ${spanOf(compare).replace(/^ (?:from|on) /, '')}` : ''}`;
  if (model.tables.get(table)?.snapshot) return 'now';
  const range = facts.ranges.get(table);
  return range && model.tables.get(table)?.label === undefined ? `${range.from} to ${range.to}` : '';
}

function orderOf({ order, limit, limit_within: within, grain }: DataQuery, say: (name: string) => string): string[] {
  if (!order) return [];
  const first = `${order.direction} ${order.of == null ? '' : order.of === 'change' ? 'change ' : 'change in percent '}first`;
  const scope = within === null ? '' : ` in each ${within === 'time' ? (grain ?? 'period') : say(within)}`;
  return [limit === null ? first : `${first}, top ${limit}${scope}`];
}
