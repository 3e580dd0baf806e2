import type { Conditions, DataQuery, ValueFilter } from '../../../schema/data-query.ts';
import type { Measure, SpaceModel } from '../../model/model.ts';
import { canReach } from '../../model/resolve.ts';
import { type Fitting, fitsPrepositions, fitsWords } from './fits-figure.ts';
import { filterOf, groupOf, homesOf, isIn, measureOf, namedOf } from './named-things.ts';
import { type Piece, piecesOf } from './pieces.ts';
import type { Days } from './plain-periods.ts';
import { isTimed, timedMeasure } from './timed-figures.ts';
import type { View } from './vocabulary.ts';

type Canonical = Omit<DataQuery, 'limit'> & { limit: number | null | 'some' };

/** A query in the one form in which two of them can be compared. The order of conditions, groups and figures is free. */
export function canonical(query: Canonical): string {
  const conditions = ({ filters, named, numbers }: Conditions) => [
    filters.map(({ dimension, values, negated }) => JSON.stringify([dimension, values.toSorted(), negated])).toSorted(),
    named.map(({ name, negated }) => JSON.stringify([name, negated])).toSorted(),
    numbers.map((number) => JSON.stringify([number.column, number.is, number.value])).toSorted(),
  ];
  const days = (period: Days | null) => period && [period.from, period.to];
  const { measures, order, without } = query;
  return JSON.stringify([
    measures
      .map(({ name, aggregate, among, distinct }) => JSON.stringify([name, aggregate, among, distinct]))
      .toSorted(),
    query.dimensions.toSorted(),
    query.grain,
    conditions(query),
    query.having.map(({ measure, is, value }) => JSON.stringify([measure, is, value])).toSorted(),
    days(query.period),
    days(query.compare),
    order && [order.by, order.direction, order.of ?? null],
    query.limit,
    query.limit_within,
    query.share,
    query.part && conditions(query.part),
    query.per,
    without && [without.table, days(without.period), without.filters ?? [], without.named ?? []],
  ]);
}

/** A count of certain rows is the number of rows with a condition: complaints are negative reviews. */
export function expanded<T extends Canonical>(query: T, { measures, dimensions }: SpaceModel): T {
  const [asked, ...more] = query.measures;
  const measure = measures.get(asked?.name ?? '');
  const rows = [...measures.values()].find(({ isRowCount, table }) => isRowCount && table === measure?.table);
  const [condition, ...others] = Object.entries(measure?.where ?? {});
  if (!asked || !rows || measure?.kind !== 'count' || !condition || more.length + others.length > 0) return query;
  const [column, value] = condition;
  const home = [...dimensions.values()].find(({ homes }) =>
    homes.some((one) => one.table === measure.table && one.column === column),
  );
  if (!home || query.share !== 'none') return query;
  const rename = (name: string) => (name === measure.name ? rows.name : name);
  return {
    ...query,
    measures: [{ ...asked, name: rows.name }],
    filters: [...query.filters, { dimension: home.name, values: [String(value)], negated: false }],
    order: query.order && { ...query.order, by: rename(query.order.by) },
  };
}

/** The query that the pieces of a question say in one space; undefined if one of them has no clear place there. */
export function meaningIn(pieces: readonly Piece[], view: View): Canonical | undefined {
  const { model } = view;
  const isDated = pieces.some(({ is }) => is === 'period' || is === 'grain');
  const figures = piecesOf(pieces, 'figure').map(({ figure }) => timedMeasure(figure, model, isDated));
  const measures = figures.filter((one) => one !== undefined);
  const [first] = measures;
  if (!first || measures.length < figures.length || measures.some(({ table }) => table !== first.table))
    return undefined;
  const deed = deedOf(pieces, first, model);
  if (deed === 'unclear') return undefined;
  // The conditions of those who did something are conditions of what they did.
  const table = deed?.among ?? first.table;
  const rows = rowsOf(pieces, { table, measures, view, deed });
  const order = orderOf(pieces, measures);
  const shares = piecesOf(pieces, 'share');
  if (!rows || order === 'unclear' || shares.length > 1) return undefined;
  const share = shares[0]?.within;
  return {
    ...rows,
    measures: measures.map(({ name }) => ({ name, aggregate: null, among: deed?.among ?? null })),
    numbers: [],
    without: deed?.without ? { table: deed.without, period: rows.period } : null,
    period: deed?.without ? null : rows.period,
    order: order?.order ?? null,
    limit: order?.limit ?? null,
    share: share === undefined ? 'none' : share === 'whole' ? 'of_whole' : 'of_group',
    part: share === 'whole' ? rows.part : null,
    per: null,
  };
}

interface Deed {
  among?: string;
  without?: string;
}

/** The table of the rows that the counted things have, or have not. */
function deedOf(pieces: readonly Piece[], counted: Measure, model: SpaceModel): Deed | 'unclear' | undefined {
  const verbs = piecesOf(pieces, 'deed');
  const [verb, ...more] = verbs;
  if (!verb) return undefined;
  const tables = new Set(verb.senses.filter((sense) => isIn(sense, model)).map(({ table }) => table));
  const [table, ...others] = [...tables].filter((one) => canReach(model, one, counted.table));
  if (table === undefined || others.length > 0 || more.length > 0 || !counted.isRowCount) return 'unclear';
  // "Products ordered" may be counted in pieces.
  if (model.tables.get(counted.table)?.people !== true) return 'unclear';
  const objects = piecesOf(pieces, 'value').filter(({ isObject }) => isObject);
  if (table === counted.table && objects.length > 0) return 'unclear';
  // "Bought without leather" may mean those who never bought any.
  if (objects.some(({ negated }) => negated)) return 'unclear';
  if (objects.some((piece) => isColumnOf(filterOf(piece, table, model), counted.table, model))) return 'unclear';
  if (table === counted.table) return verb.negated ? 'unclear' : {};
  return verb.negated ? { without: table } : { among: table };
}

function isColumnOf(filter: ValueFilter | undefined, table: string, model: SpaceModel): boolean {
  return filter !== undefined && homesOf(filter.dimension, model).includes(table);
}

interface RowsOptions extends Fitting {
  deed: Deed | undefined;
}

/** Groups, conditions and periods of the measured rows; undefined if a piece has no clear place there. */
function rowsOf(pieces: readonly Piece[], { table, measures, view, deed }: RowsOptions) {
  const { model } = view;
  const groups = piecesOf(pieces, 'group').map(({ senses, isWithin }) => ({
    name: groupOf(senses, table, model),
    isWithin,
  }));
  const sides = sidesOf(pieces, table, model);
  const filters = piecesOf(pieces, 'value')
    .filter(({ isSide }) => !isSide)
    .map((piece) => ({ isPart: piece.isPart ?? false, filter: filterOf(piece, table, model) }));
  const named = piecesOf(pieces, 'filter').map((piece) => ({
    isPart: piece.isPart ?? false,
    filter: namedOf(piece, table, model),
  }));
  const having = piecesOf(pieces, 'having').map(({ figure, comparison, value, isMoney }) => ({
    measure: measureOf(figure, model),
    comparison,
    value,
    isMoney,
  }));
  const periods = piecesOf(pieces, 'period').map(({ days }) => ({ ...days, words: '' }));
  const grains = piecesOf(pieces, 'grain').map(({ grain }) => grain);
  const dimensions = [...groups.map(({ name }) => name), ...(sides ? [sides.dimension] : [])];
  const times = {
    periods,
    grain: grains[0],
    isDeed: deed !== undefined,
    isRanked: pieces.some(({ is }) => is === 'end'),
  };
  const isWhole =
    sides !== null &&
    filters.every(({ filter }) => !measures.some((measure) => isFixed(filter, measure, model))) &&
    !dimensions.includes(undefined) &&
    new Set(dimensions).size === dimensions.length &&
    // "Churn rate by customer" has one row a customer, which is nothing to average.
    (pieces.some(({ is }) => is === 'end' || is === 'having') ||
      !dimensions.some((name) => model.dimensions.get(name ?? '')?.entity === table)) &&
    [...filters, ...named].every(({ filter }) => filter !== undefined) &&
    having.every(
      ({ measure, isMoney }) => measure && measure.kind !== 'average' && (!isMoney || measure.unit === 'usd'),
    ) &&
    fitsWords(pieces, { table, measures, view }) &&
    fitsPrepositions(pieces, { table, measures, view }) &&
    areSingle(pieces, dimensions, { table, measures, view }) &&
    periods.length <= 2 &&
    grains.length <= 1 &&
    isTimed(deed?.among === undefined && deed?.without === undefined ? measures : [], view, times);
  if (!isWhole) return undefined;
  const parts = (isPart: boolean): Conditions => ({
    filters: filters.flatMap(({ filter, isPart: own }) => (filter && own === isPart ? [filter] : [])),
    named: named.flatMap(({ filter, isPart: own }) => (filter && own === isPart ? [filter] : [])),
    numbers: [],
  });
  const own = parts(false);
  return {
    filters: [...own.filters, ...(sides ? [sides] : [])],
    named: own.named,
    part: parts(true),
    dimensions: dimensions.filter((name) => name !== undefined),
    grain: grains[0] ?? null,
    having: having.flatMap(({ measure, comparison, value }) =>
      measure ? [{ measure: measure.name, is: comparison, value: boundOf(value, measure) }] : [],
    ),
    period: periods[0] ?? null,
    compare: periods[1] ?? null,
    limit_within: groups.find(({ isWithin }) => isWithin)?.name ?? null,
  };
}

/** "The most expensive brand" may be that of the most expensive product. Ratings and durations are averages. */
function areSingle(pieces: readonly Piece[], dimensions: readonly (string | undefined)[], rows: Fitting): boolean {
  const isOwn = dimensions.some((name) => rows.view.model.dimensions.get(name ?? '')?.entity === rows.table);
  const isPrice = rows.measures.some(({ kind, unit }) => kind === 'average' && unit === 'usd');
  return isOwn || !isPrice || !piecesOf(pieces, 'kind').some(({ kind }) => kind === 'single');
}

/** "Positive complaints": the measure has another value of that column already. */
function isFixed(filter: ValueFilter | undefined, { table, where }: Measure, model: SpaceModel): boolean {
  const homes = model.dimensions.get(filter?.dimension ?? '')?.homes ?? [];
  return homes.some((home) => home.table === table && Object.hasOwn(where, home.column));
}

/** Two values that are set side by side become a group of these two. `null`: they are no two of one kind. */
function sidesOf(pieces: readonly Piece[], table: string, model: SpaceModel): ValueFilter | undefined | null {
  const sides = piecesOf(pieces, 'value').filter(({ isSide }) => isSide);
  const filters = sides.map((piece) => filterOf(piece, table, model));
  const [first, second] = filters;
  if (sides.length === 0) return undefined;
  if (!first || !second || filters.length > 2 || first.dimension !== second.dimension) return null;
  return { ...first, values: [...first.values, ...second.values] };
}

/** Rates are stored as shares: "above 20 percent" is 0.2. */
function boundOf(value: number, { unit }: Measure): number {
  return unit === 'percent' ? value / 100 : value;
}

function orderOf(pieces: readonly Piece[], [measure]: readonly Measure[]) {
  const [end, ...more] = piecesOf(pieces, 'end').map((piece) => piece.end);
  const [limit = 1, ...limits] = piecesOf(pieces, 'limit').map((piece) => piece.limit);
  if (!end || !measure) return piecesOf(pieces, 'limit').length > 0 ? 'unclear' : undefined;
  const direction = end === 'best' || end === 'worst' ? goodEnd(end, measure) : end;
  if (more.length > 0 || limits.length > 0 || direction === undefined) return 'unclear';
  return { order: { by: measure.name, direction }, limit: limit === 'all' ? null : limit };
}

function goodEnd(end: 'best' | 'worst', { good }: Measure): 'highest' | 'lowest' | undefined {
  if (good === undefined) return undefined;
  return (good === 'up') === (end === 'best') ? 'highest' : 'lowest';
}

/** Reads a fragment as a change of the last query's rows; undefined if a piece of it has no place there. */
export function editOf(pieces: readonly Piece[], base: DataQuery, view: View) {
  const measures = base.measures.flatMap(({ name }) => view.model.measures.get(name) ?? []);
  const [first] = measures;
  const known = ['value', 'group', 'period', 'grain', 'thing', 'narrow'];
  if (!first || measures.length < base.measures.length || !pieces.every(({ is }) => known.includes(is)))
    return undefined;
  if (base.measures.some(({ among }) => among !== null)) return undefined;
  return rowsOf(pieces, { table: first.table, measures, view, deed: undefined });
}
export type Edit = NonNullable<ReturnType<typeof editOf>>;
