/** Computes a data query in plain JavaScript over the CSV rows, to compare with the product's own answer. */
import type { DataQuery } from '../../src/schema/data-query.ts';
import { cellReader, compareNumbers, testOf } from './conditions.ts';
import { columnsOf, entityOf, homeOf, readerTo, Unsupported } from './joins.ts';
import { bucketOf, isWithin, type Measure, type Model, type Row } from './shop.ts';
import { plural } from './vocabulary.ts';

export interface ComputedRow {
  key: string[];
  values: (number | null)[];
  /** True if no row of the data belongs to this group. */
  isEmpty: boolean;
  /** Too few rows for the first places. */
  isFew?: boolean;
}

export interface Computed {
  rows: ComputedRow[];
  /** Rows that could stand in the last place as well, because their figures are equal. */
  ties: ComputedRow[];
  units: string[];
}

type Period = DataQuery['period'];
type QueryMeasure = DataQuery['measures'][number];

export function compute(model: Model, query: DataQuery): Computed {
  const periods = query.compare ? [query.period, query.compare] : [query.period];
  const columns = query.measures.flatMap((one) => periods.map((period) => computeColumn(model, query, one, period)));
  const keys = [...new Set([...columns.flatMap(({ values }) => [...values.keys()]), ...universeOf(model, query)])];
  const conditions = isEntityCount(model, query) ? [] : query.having;
  const having = conditions.map((one) => ({ ...one, column: havingColumn(model, query, one.measure) }));
  const few = fewOf(model, query);
  let rows = keys.map((key) => ({
    key: key === '' ? [] : key.split('\u0000'),
    values: columns.map(({ values, empty }) => values.get(key) ?? empty),
    isEmpty: columns.every(({ values }) => !values.has(key)),
    isFew: few(key),
    conditions: having.map(({ column }) => column.values.get(key) ?? column.empty),
  }));
  rows = rows.filter((row) =>
    having.every(({ is, value }, at) => {
      const figure = row.conditions[at];
      return typeof figure === 'number' && compareNumbers(figure, is, value);
    }),
  );
  if (query.share === 'of_group') rows = rows.map((row) => ({ ...row, values: sharesOf(row.values, rows) }));
  const { kept, ties } = rank(rows, query);
  return { rows: kept, ties, units: columns.map(({ unit }) => unit) };
}

/** Groups whose average has fewer rows than the measure asks for. */
function fewOf(model: Model, query: DataQuery): (key: string) => boolean {
  const measure = model.measures.get(query.order?.by ?? '');
  const noun = model.tables.get(measure?.table ?? '')?.names[0];
  if (!measure || measure.minRows < 2 || query.limit === null || noun === undefined) return () => false;
  const count = { name: `number of ${plural(noun)}`, aggregate: null, among: null };
  const { values } = computeColumn(model, { ...query, measures: [count] }, count, query.period);
  return (key) => (values.get(key) ?? 0) < measure.minRows;
}

function sharesOf(values: readonly (number | null)[], rows: readonly ComputedRow[]): (number | null)[] {
  return values.map((value, at) => {
    const whole = rows.reduce((sum, row) => sum + (row.values[at] ?? 0), 0);
    return value === null || whole === 0 ? null : value / whole;
  });
}

function rank<T extends ComputedRow>(rows: readonly T[], { order, limit, limit_within, ...query }: DataQuery) {
  if (!order) return { kept: rows.slice(0, limit ?? rows.length), ties: [] };
  const names = query.measures.map(({ name }) => name);
  const at = Math.max(0, names.indexOf(order.by)) * (query.compare ? 2 : 1);
  const sign = order.direction === 'highest' ? -1 : 1;
  // Sums of the same cents differ in their last bits.
  const figure = (row: T) => (row.values[at] === undefined || row.values[at] === null ? null : round(row.values[at]));
  const sorted = rows
    .filter((row) => figure(row) !== null)
    .toSorted((a, b) => Number(a.isFew) - Number(b.isFew) || sign * (Number(figure(a)) - Number(figure(b))));
  const places = limit_within === null ? -1 : query.dimensions.indexOf(limit_within);
  const within = (row: T) => (limit_within === null ? '' : (row.key[places < 0 ? row.key.length - 1 : places] ?? ''));
  const kept: T[] = [];
  const ties: T[] = [];
  for (const group of Map.groupBy(sorted, within).values()) {
    const first = group.slice(0, limit ?? group.length);
    const last = first.at(-1);
    kept.push(...first);
    ties.push(...group.filter((row) => last && figure(row) === figure(last)));
  }
  return { kept, ties };
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;

interface Column {
  values: Map<string, number | null>;
  /** The figure of a group without rows: 0 of a sum or count, none of an average. */
  empty: number | null;
  unit: string;
}

function havingColumn(model: Model, query: DataQuery, name: string): Column {
  return computeColumn(model, { ...query, share: 'none' }, { name, aggregate: null, among: null }, query.period);
}

/** A measure of the model, or the rows of a table, with what the query changes about it. */
export function resolveMeasure(model: Model, { name, aggregate, among, distinct }: QueryMeasure): Measure {
  if (distinct != null) throw new Unsupported('different values are not counted here');
  const declared = model.measures.get(name);
  const table = among ?? countedTable(model, name);
  if (!declared && table === undefined) throw new Unsupported(`there is no measure ${name}`);
  const counted: Measure = {
    name,
    table: table ?? '',
    how: 'count',
    expressions: [table ?? ''],
    where: {},
    unit: name,
    names: [],
    isLevel: false,
    minRows: 1,
  };
  const measure = declared ?? counted;
  if (aggregate === null || (aggregate === 'total' && measure.how === 'sum')) return measure;
  const how = ({ total: 'sum', average: 'average', count: 'count', highest: 'highest', lowest: 'lowest' } as const)[
    aggregate
  ];
  return { ...measure, how: measure.how === 'share' && how === 'average' ? 'share' : how };
}

/** The table of a count: by its own name, or as the number of its rows. */
export function countedTable(model: Model, name: string): string | undefined {
  const noun = name.replace(/^number of /, '');
  const tables = [...model.tables.values()];
  const named = tables.find(
    (table) => table.name === noun || table.names.some((one) => [one, plural(one)].includes(noun)),
  );
  return named?.name;
}

function computeColumn(model: Model, query: DataQuery, wanted: QueryMeasure, period: Period): Column {
  const measure = forPeriod(model, resolveMeasure(model, wanted), query);
  const { table } = measure;
  const keyOf = keyReader(model, table, query);
  const rows = rowsOf(model, measure, { ...query, period });
  const groups = Map.groupBy(rows, keyOf);
  if (query.dimensions.length === 0 && !query.grain && groups.size === 0) groups.set('', []);
  const part = query.share === 'of_whole' && query.part ? testOf(model, table, query.part) : undefined;
  const figure = createFigure(model, measure, wanted, query.per);
  const values = new Map<string, number | null>();
  for (const [key, group] of groups) {
    if (key === undefined) continue;
    const whole = figure(group);
    const own = part ? figure(group.filter(part)) : whole;
    values.set(key, part ? (own === null || !whole ? null : own / whole) : own);
  }
  const isSummed = measure.how === 'sum' || measure.how === 'count';
  const unit = part || query.share === 'of_group' ? 'percent' : measure.unit;
  return { values, empty: isSummed && query.per === null ? 0 : null, unit };
}

function forPeriod(model: Model, measure: Measure, { period, grain }: DataQuery): Measure {
  const overTime = measure.overTime === undefined ? undefined : model.measures.get(measure.overTime);
  return overTime && (period || grain) ? overTime : measure;
}

function rowsOf(model: Model, measure: Measure, query: DataQuery): Row[] {
  const table = model.tables.get(measure.table);
  if (!table) throw new Unsupported(`there is no table ${measure.table}`);
  const { time = '' } = table;
  const entities = isEntityCount(model, query) ? entityTests(model, table.name, query) : [];
  // The period of a question about entities is the period of what they did.
  const { period } = entities.length > 0 ? { period: null } : query;
  const test = testOf(model, table.name, query);
  const lacks = query.without ? testWithout(model, table.name, query.without) : undefined;
  const rows = table.rows.filter(
    (row) =>
      Object.entries(measure.where).every(([column, value]) => row[column] === value) &&
      test(row) &&
      (!period || isWithin(row[time], period)) &&
      (!lacks || lacks(row)) &&
      entities.every((holds) => holds(row)),
  );
  return measure.isLevel ? newestOf(rows, time, query.grain) : rows;
}

/** The rows of the newest time, or of the newest time in each step of a series. */
function newestOf(rows: readonly Row[], time: string, grain: DataQuery['grain']): Row[] {
  const steps = Map.groupBy(rows, (row) => (grain ? bucketOf(String(row[time]), grain) : ''));
  return [...steps.values()].flatMap((step) => {
    const newest = step.reduce((latest, row) => (String(row[time]) > latest ? String(row[time]) : latest), '');
    return step.filter((row) => row[time] === newest);
  });
}

/** True if the conditions are about the counted entities one by one, and not about the figure itself. */
function isEntityCount(model: Model, { measures: [first], dimensions, grain, having }: DataQuery): boolean {
  if (!first || dimensions.length > 0 || grain || having.length === 0) return false;
  const { how, table } = resolveMeasure(model, first);
  return how === 'count' && model.tables.get(table)?.label !== undefined;
}

/** Conditions on a measure of each counted entity: customers with more than 5 orders. */
function entityTests(model: Model, table: string, query: DataQuery): ((row: Row) => boolean)[] {
  return query.having.map(({ measure: name, is, value }) => {
    const measure = resolveMeasure(model, { name, aggregate: null, among: null });
    const reader = readerTo(model, measure.table, table);
    if (!reader) throw new Unsupported(`${name} does not belong to ${table}`);
    const rows = rowsOf(model, measure, { ...query, filters: [], named: [], numbers: [], having: [] });
    const groups = Map.groupBy(rows, reader.read);
    const figure = createFigure(model, measure, { name, aggregate: null, among: null }, null);
    return (row) => {
      const found = figure(groups.get(row) ?? []);
      return typeof found === 'number' && compareNumbers(found, is, value);
    };
  });
}

function testWithout(model: Model, base: string, { table, period }: NonNullable<DataQuery['without']>) {
  const other = model.tables.get(table);
  const reader = other && readerTo(model, table, base);
  if (!reader) throw new Unsupported(`${table} does not belong to ${base}`);
  const rows = other.rows.filter((row) => !period || isWithin(row[other.time ?? ''], period));
  const had = new Set(rows.map(reader.read));
  return (row: Row) => !had.has(row);
}

/** The group of a row; undefined if a dimension has no value there. */
function keyReader(model: Model, table: string, { dimensions, grain }: DataQuery): (row: Row) => string | undefined {
  const { time = '' } = model.tables.get(table) ?? {};
  const readers = dimensions.map((dimension) => {
    const home = homeOf(model, table, dimension);
    if (home === undefined) throw new Unsupported(`${dimension} does not belong to ${table}`);
    return cellReader(model, table, home);
  });
  return (row) => {
    const cells = readers.map((read) => read(row));
    if (cells.some((cell) => cell === null || cell === undefined)) return undefined;
    const step = grain ? [bucketOf(String(row[time]), grain)] : [];
    return [...cells.map(String), ...step].join('\u0000');
  };
}

function createFigure(model: Model, measure: Measure, { among, name }: QueryMeasure, per: string | null) {
  const figure = among === null ? (rows: Row[]) => aggregate(measure, rows) : distinct(model, among, name);
  if (per === null) return figure;
  const count = distinct(model, measure.table, per);
  return (rows: Row[]) => (count(rows) === 0 ? null : Number(figure(rows)) / count(rows));
}

function distinct(model: Model, from: string, entity: string): (rows: Row[]) => number {
  const table = entityOf(model, countedTable(model, entity) ?? entity);
  const reader = table && readerTo(model, from, table.name);
  if (!reader) throw new Unsupported(`${entity} cannot be counted among ${from}`);
  return (rows) => new Set(rows.map(reader.read).filter((row) => row !== undefined)).size;
}

function aggregate({ how, expressions }: Measure, rows: readonly Row[]): number | null {
  if (how === 'count') return rows.length;
  const [values = [], others = []] = expressions.map((expression) => {
    const sign = expression.startsWith('-') ? -1 : 1;
    return evaluate(expression.replace(/^-/, ''), rows).map((value) => sign * value);
  });
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
  if (how === 'sum') return sum(values);
  if (how === 'ratio') return sum(others) === 0 ? null : sum(values) / sum(others);
  if (values.length === 0) return null;
  if (how === 'highest') return values.reduce((a, b) => Math.max(a, b));
  if (how === 'lowest') return values.reduce((a, b) => Math.min(a, b));
  return sum(values) / values.length;
}

/** Columns of one table with + - * / between them; * and / first. A row without one of the values is left out. */
function evaluate(expression: string, rows: readonly Row[]): number[] {
  const [first = '', ...rest] = expression.split(/\s*([-+*/])\s*/);
  const cell = (row: Row, column: string) => row[column.split('.')[1] ?? ''];
  return rows.flatMap((row) => {
    const columns = [first, ...rest.filter((_, at) => at % 2 === 1)];
    if (columns.some((column) => typeof cell(row, column) !== 'number')) return [];
    const terms = [Number(cell(row, first))];
    for (let at = 0; at < rest.length; at += 2) {
      const value = Number(cell(row, rest[at + 1] ?? ''));
      const sign = rest[at];
      if (sign === '*') terms.push(Number(terms.pop()) * value);
      else if (sign === '/') terms.push(Number(terms.pop()) / value);
      else terms.push(sign === '-' ? -value : value);
    }
    return [terms.reduce((a, b) => a + b, 0)];
  });
}

/** Groups without rows count where the low end is asked for. They come from the table of the dimension. */
function universeOf(model: Model, query: DataQuery): string[] {
  const isLow = query.order?.direction === 'lowest' || query.having.some(({ is }) => is === 'less' || is === 'at_most');
  const [dimension] = query.dimensions;
  const [wanted] = query.measures;
  if (!isLow || dimension === undefined || !wanted || query.dimensions.length > 1 || query.grain) return [];
  const base = resolveMeasure(model, wanted).table;
  const home = homeOf(model, base, dimension) ?? columnsOf(model, dimension)[0] ?? '';
  const [table = '', column = ''] = home.split('.');
  const reachable = query.filters.filter((filter) => homeOf(model, table, filter.dimension) !== undefined);
  const test = testOf(model, table, { filters: reachable, named: [], numbers: [] });
  const rows = model.tables.get(table)?.rows.filter(test) ?? [];
  return rows
    .map((row) => row[column])
    .flatMap((value) => (value === null || value === undefined ? [] : [String(value)]));
}
