import type { Comparison, Conditions, DataQuery, Grain, ValueFilter } from '../../../schema/data-query.ts';
import type { Measure, SpaceModel } from '../../model/model.ts';
import { canReach, resolveDimension } from '../../model/resolve.ts';
import type { Days } from './plain-periods.ts';
import type { SenseOf, View } from './vocabulary.ts';

/** Something that is measured: a declared measure, or the rows of a table. */
export type Figure = { measure: SenseOf<'measure'>[] } | { rows: SenseOf<'noun'>[] };

/** A piece of a plain question. `isPart`: it forms the part of a share. */
export type Piece =
  | { is: 'figure'; figure: Figure }
  | { is: 'value'; senses: SenseOf<'value'>[]; dimension?: SenseOf<'dimension'>[]; negated?: boolean; isPart?: boolean }
  | { is: 'filter'; senses: SenseOf<'filter'>[]; negated?: boolean; isPart?: boolean }
  /** A thing that the rows must belong to: revenue from customers. */
  | { is: 'thing'; senses: SenseOf<'noun'>[] }
  | { is: 'light'; senses: SenseOf<'light'>[] }
  | { is: 'group'; senses: (SenseOf<'dimension'> | SenseOf<'noun'>)[]; isWithin?: boolean }
  | { is: 'grain'; grain: Grain }
  | { is: 'period'; days: Days }
  | { is: 'share' }
  | { is: 'end'; end: 'highest' | 'lowest' | 'best' | 'worst' }
  /** `some`: a plural without a number, whose limit is not said. */
  | { is: 'limit'; limit: number | 'some' }
  | { is: 'bound'; value: number }
  | { is: 'having'; figure: Figure; comparison: Comparison; value: number }
  /** The figure must be a total, an average, money, or a number of things. */
  | { is: 'kind'; kind: 'total' | 'average' | 'amount' | 'number' };

type PieceOf<K extends Piece['is']> = Extract<Piece, { is: K }>;

/** A query in the one form in which two of them can be compared. The order of conditions, groups and figures is free. */
export function canonical(query: Omit<DataQuery, 'limit'> & { limit: number | null | 'some' }): string {
  const conditions = ({ filters, named, numbers }: Conditions) => [
    filters.map(({ dimension, values, negated }) => JSON.stringify([dimension, values.toSorted(), negated])).toSorted(),
    named.map(({ name, negated }) => JSON.stringify([name, negated])).toSorted(),
    numbers.map((number) => JSON.stringify([number.column, number.is, number.value])).toSorted(),
  ];
  const days = (period: Days | null) => period && [period.from, period.to];
  const { order, without } = query;
  return JSON.stringify([
    query.measures
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
    without && [without.table, days(without.period), without.filters, without.named],
  ]);
}

/** The queries that the pieces of a question say, one for each space in which all of them have a meaning. */
export function meaningsOf(pieces: readonly Piece[], views: readonly View[]): string[] {
  return views.flatMap((view) => meaningIn(pieces, view) ?? []);
}

function meaningIn(pieces: readonly Piece[], view: View): string | undefined {
  const { model } = view;
  const of = <K extends Piece['is']>(kind: K) => pieces.filter((piece): piece is PieceOf<K> => piece.is === kind);
  const isDated = of('period').length + of('grain').length > 0;
  const figures = of('figure').map(({ figure }) => timedMeasure(figure, model, isDated));
  const [first] = figures;
  if (!first || figures.some((one) => one?.table !== first.table)) return undefined;
  const known = figures.filter((one) => one !== undefined);
  const table = first.table;
  const groups = of('group').map(({ senses, isWithin }) => ({ name: groupOf(senses, table, model), isWithin }));
  const dimensions = groups.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const filters = of('value').map((piece) => ({ piece, filter: filterOf(piece, table, model) }));
  const named = of('filter').map((piece) => ({ piece, name: namedOf(piece, table, model) }));
  const having = of('having').map((piece) => ({ piece, measure: measureOf(piece.figure, model) }));
  const [period, compare, ...more] = of('period');
  const order = orderOf(of('end'), known, of('limit'));
  const grains = of('grain');
  const isComplete =
    dimensions.length === groups.length &&
    new Set(dimensions).size === dimensions.length &&
    filters.every(({ filter }) => filter !== undefined) &&
    named.every(({ name }) => name !== undefined) &&
    having.every(({ measure }) => measure !== undefined && measure.kind !== 'average') &&
    of('thing').every(({ senses }) => senses.some((one) => isIn(one, model) && canReach(model, table, one.table))) &&
    of('light').every(({ senses }) => senses.some((one) => isIn(one, model) && one.table === table)) &&
    of('kind').every(({ kind }) => known.every((measure) => hasKind(measure, kind))) &&
    more.length === 0 &&
    grains.length <= 1 &&
    order !== 'unclear' &&
    isTimed(known, view, { periods: of('period').map(({ days }) => days), grain: grains[0]?.grain });
  if (!isComplete) return undefined;
  const isShare = of('share').length > 0;
  const parts = (isPart: boolean): Conditions => ({
    filters: filters.flatMap(({ piece, filter }) => (filter && (piece.isPart ?? false) === isPart ? [filter] : [])),
    named: named.flatMap(({ piece, name }) => (name && (piece.isPart ?? false) === isPart ? [name] : [])),
    numbers: [],
  });
  const words = '';
  return canonical({
    ...parts(false),
    measures: known.map(({ name }) => ({ name, aggregate: null, among: null })),
    dimensions,
    grain: grains[0]?.grain ?? null,
    without: null,
    having: having.flatMap(({ piece, measure }) =>
      measure ? [{ measure: measure.name, is: piece.comparison, value: boundOf(piece.value, measure) }] : [],
    ),
    period: period ? { ...period.days, words } : null,
    compare: compare ? { ...compare.days, words } : null,
    order: order?.order ?? null,
    limit: order?.limit ?? null,
    limit_within: groups.find(({ isWithin }) => isWithin)?.name ?? null,
    share: isShare ? 'of_whole' : 'none',
    part: isShare ? parts(true) : null,
    per: null,
  });
}

/** What the pieces of a fragment say about the rows of the last query. */
export interface Edit {
  filters: ValueFilter[];
  dimensions: string[];
  grain: DataQuery['grain'];
  period: DataQuery['period'];
  /** All pieces have a place in these. */
  isComplete: boolean;
}

export function editOf(pieces: readonly Piece[], base: DataQuery, view: View): Edit {
  const { model } = view;
  const table = model.measures.get(base.measures[0]?.name ?? '')?.table ?? '';
  const measures = base.measures.flatMap(({ name }) => model.measures.get(name) ?? []);
  const filters = pieces.flatMap((piece) => (piece.is === 'value' ? [filterOf(piece, table, model)] : []));
  const groups = pieces.flatMap((piece) => (piece.is === 'group' ? [groupOf(piece.senses, table, model)] : []));
  const periods = pieces.flatMap((piece) => (piece.is === 'period' ? [{ ...piece.days, words: '' }] : []));
  const grains = pieces.flatMap((piece) => (piece.is === 'grain' ? [piece.grain] : []));
  const known = ['value', 'group', 'period', 'grain', 'thing'];
  const things = pieces.filter((piece) => piece.is === 'thing');
  return {
    filters: filters.filter((filter) => filter !== undefined),
    dimensions: groups.filter((group) => group !== undefined),
    grain: grains[0] ?? null,
    period: periods[0] ?? null,
    isComplete:
      measures.length === base.measures.length &&
      measures.length > 0 &&
      !filters.includes(undefined) &&
      !groups.includes(undefined) &&
      periods.length <= 1 &&
      grains.length <= 1 &&
      pieces.every(({ is }) => known.includes(is)) &&
      things.every(({ senses }) => senses.some((one) => isIn(one, model) && canReach(model, table, one.table))) &&
      (periods.length + grains.length === 0 || isTimed(measures, view, { periods, grain: grains[0] })),
  };
}

function isIn({ space }: { space: string }, model: SpaceModel): boolean {
  return space === model.space;
}

function measureOf(figure: Figure, model: SpaceModel): Measure | undefined {
  if ('measure' in figure) {
    const own = figure.measure.filter((sense) => isIn(sense, model));
    return own.length === 1 ? model.measures.get(own[0]?.name ?? '') : undefined;
  }
  const [noun, ...others] = figure.rows.filter((sense) => isIn(sense, model));
  if (!noun || others.some(({ table }) => table !== noun.table)) return undefined;
  return [...model.measures.values()].find(({ isRowCount, table }) => isRowCount && table === noun.table);
}

/** Grouping by an entity or a column that each row has exactly one of. */
function groupOf(senses: PieceOf<'group'>['senses'], table: string, model: SpaceModel): string | undefined {
  const names = senses
    .filter((sense) => isIn(sense, model))
    .flatMap((sense) => {
      if (sense.kind === 'dimension') return isReached(model, table, sense.name, sense.of) ? [sense.name] : [];
      const entity = [...model.dimensions.values()].find(
        ({ entity: own, role }) => own === sense.table && role === undefined,
      );
      return entity && isReached(model, table, entity.name) ? [entity.name] : [];
    });
  const distinct = [...new Set(names)];
  return distinct.length === 1 ? distinct[0] : undefined;
}

function isReached(model: SpaceModel, table: string, dimension: string, home?: string): boolean {
  const found = resolveDimension(model, table, dimension);
  return found !== undefined && 'place' in found && (home === undefined || found.place.table === home);
}

/** A value that only one dimension of these rows has, or one whose dimension is said beside it. */
function filterOf({ senses, dimension, negated = false }: PieceOf<'value'>, table: string, model: SpaceModel) {
  const own = senses.filter((sense) => isIn(sense, model) && isReached(model, table, sense.dimension));
  const isSaid = (name: string) => dimension?.some((one) => isIn(one, model) && one.name === name) ?? true;
  const fitting = own.filter((sense) => isSaid(sense.dimension));
  const [only] = fitting;
  if (!only || new Set(fitting.map((sense) => `${sense.dimension} ${sense.value}`)).size > 1) return undefined;
  return { dimension: only.dimension, values: [only.value], negated };
}

function namedOf({ senses, negated = false }: PieceOf<'filter'>, table: string, model: SpaceModel) {
  const own = senses.filter((sense) => isIn(sense, model));
  const [only] = own;
  const filter = model.filters.get(only?.name ?? '');
  if (!only || !filter || new Set(own.map(({ name }) => name)).size > 1) return undefined;
  const homes = [
    ...(filter.columns ?? []).map((column) => column.split('.')[0] ?? ''),
    ...(filter.of === undefined ? [] : [filter.of]),
    ...(filter.rows === undefined ? [] : [filter.rows.split('.')[0] ?? '']),
  ];
  return homes.some((home) => canReach(model, table, home))
    ? { name: only.name, negated: only.negated !== negated }
    : undefined;
}

function hasKind({ kind, unit, isRowCount, names }: Measure, asked: PieceOf<'kind'>['kind']): boolean {
  if (asked === 'total') return kind === 'sum' || kind === 'count';
  if (asked === 'average') return kind === 'average' && names.length > 0;
  if (asked === 'amount') return kind === 'sum' && !isRowCount;
  return (kind === 'sum' || kind === 'count') && unit !== 'usd';
}

/** Rates are stored as shares: "above 20 percent" is 0.2. Numbers without a unit are only compared with amounts and counts. */
function boundOf(value: number, { unit }: Measure): number {
  return unit === 'percent' ? value / 100 : value;
}

function orderOf(ends: PieceOf<'end'>[], [measure]: Measure[], limits: PieceOf<'limit'>[]) {
  const [end, ...more] = ends.map((piece) => piece.end);
  if (!end || !measure) return limits.length > 0 ? 'unclear' : undefined;
  const direction = end === 'best' || end === 'worst' ? goodEnd(end, measure) : end;
  if (more.length > 0 || limits.length > 1 || direction === undefined) return 'unclear';
  return { order: { by: measure.name, direction }, limit: limits[0]?.limit ?? 1 };
}

function goodEnd(end: 'best' | 'worst', { good }: Measure): 'highest' | 'lowest' | undefined {
  if (good === undefined) return undefined;
  return (good === 'up') === (end === 'best') ? 'highest' : 'lowest';
}

/** The state of now has no dates; its history has. */
function timedMeasure(figure: Figure, model: SpaceModel, isDated: boolean): Measure | undefined {
  const measure = measureOf(figure, model);
  return isDated && measure?.overTime !== undefined ? model.measures.get(measure.overTime) : measure;
}

interface Times {
  periods: readonly Days[];
  grain: Grain | undefined;
}

/**
 * A period needs rows with a date of their own. The date of a customer is that of the sign-up, which "customers in May"
 * need not mean. A level is that of the end of one month.
 */
function isTimed(measures: readonly Measure[], { model, facts }: View, { periods, grain }: Times): boolean {
  const isDated = periods.length > 0 || grain !== undefined;
  return measures.every(({ table, isLevel }) => {
    const { time, snapshot, label } = model.tables.get(table) ?? {};
    if (!isDated) return !isLevel;
    if (time === undefined || snapshot === true || label !== undefined) return false;
    if (!isLevel) return true;
    return grain === undefined ? periods.every((days) => isPastMonth(days, facts.today)) : grain === 'month';
  });
}

function isPastMonth({ from, to }: Days, today: string): boolean {
  return (
    from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && to < `${today.slice(0, 7)}-01` && isMonthEnd(to)
  );
}

function isMonthEnd(day: string): boolean {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).getUTCDate() === 1;
}
