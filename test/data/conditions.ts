import type { DataQuery } from '../../src/schema/data-query.ts';
import { columnsOf, homeOf, type Reader, readerTo, Unsupported } from './joins.ts';
import type { Cell, Model, Row } from './shop.ts';

export type Test = (row: Row) => boolean;
type Conditions = Pick<DataQuery, 'filters' | 'named' | 'numbers'>;
type Comparison = DataQuery['having'][number]['is'];

/** True if a row of the base table meets every condition. */
export function testOf(model: Model, base: string, { filters, named, numbers }: Conditions): Test {
  const tests = [
    ...filters.map((filter) => testValue(model, base, filter)),
    ...named.map((filter) => testNamed(model, base, filter)),
    ...numbers.map((filter) => testNumber(model, base, filter)),
  ];
  return (row) => tests.every((test) => test(row));
}

function testValue(model: Model, base: string, filter: DataQuery['filters'][number]): Test {
  const values = new Set(filter.values);
  const has = (value: Cell | undefined) =>
    filter.values.length === 0
      ? value === null || value === undefined || value === ''
      : value !== null && value !== undefined && values.has(String(value));
  const home = homeOf(model, base, filter.dimension);
  if (home !== undefined) {
    const read = cellReader(model, base, home);
    return (row) => has(read(row)) !== filter.negated;
  }
  const isIncluded = semiJoin(model, base, columnsOf(model, filter.dimension), has);
  return (row) => isIncluded(row) !== filter.negated;
}

/** True for rows of the base table that some row of another table belongs to, where that row has a wanted value. */
function semiJoin(
  model: Model,
  base: string,
  columns: readonly string[],
  wanted: (value: Cell | undefined) => boolean,
): Test {
  for (const table of model.tables.values()) {
    const back = table.name === base ? undefined : readerTo(model, table.name, base);
    const column = columns.find((one) => readerTo(model, table.name, tableOf(one)));
    if (!back || column === undefined) continue;
    const read = cellReader(model, table.name, column);
    const included = new Set(table.rows.filter((row) => wanted(read(row))).map((row) => back.read(row)));
    return (row) => included.has(row);
  }
  throw new Unsupported(`${columns.join(', ')} does not belong to ${base}`);
}

/** Reads table.column for rows of the base table. */
export function cellReader(model: Model, base: string, column: string): (row: Row) => Cell | undefined {
  const [table = '', name = ''] = column.split('.');
  const reader = readerTo(model, base, table);
  if (!reader) throw new Unsupported(`${column} does not belong to ${base}`);
  return (row) => reader.read(row)?.[name];
}

const tableOf = (column: string) => column.split('.')[0] ?? '';

function testNamed(model: Model, base: string, { name, negated }: DataQuery['named'][number]): Test {
  const filter = model.filters.get(name);
  if (!filter) throw new Unsupported(`there is no filter ${name}`);
  const near = filter.columns.find((column) => readerTo(model, base, tableOf(column)));
  if (near !== undefined) {
    const read = cellReader(model, base, near);
    return (row) => (read(row) === filter.is) !== negated;
  }
  if (filter.columns.length > 0) {
    const isIncluded = semiJoin(model, base, filter.columns, (value) => value === filter.is);
    return (row) => isIncluded(row) !== negated;
  }
  if (filter.rows !== undefined) return negate(testRows(model, base, filter.rows), negated);
  return negate(testEntity(model, base, filter.of ?? '', filter.where ?? ''), negated);
}

const negate = (test: Test, negated: boolean): Test => (negated ? (row) => !test(row) : test);

/** A comparison of single rows: stock.on_hand < stock.reorder_point. */
function testRows(model: Model, base: string, text: string): Test {
  const [left = '', sign = '', right = ''] = text.split(/\s*(<=|>=|<|>|=)\s*/);
  const table = tableOf(left);
  const value = (row: Row | undefined, side: string) => (/^-?[\d.]+$/.test(side) ? Number(side) : row?.[nameOf(side)]);
  const holds = (row: Row | undefined) => row !== undefined && signed(value(row, left), sign, value(row, right));
  const reader = readerTo(model, base, table);
  if (reader) return (row) => holds(reader.read(row));
  const back = readerTo(model, table, base);
  if (!back) throw new Unsupported(`${text} does not belong to ${base}`);
  const included = new Set(model.tables.get(table)?.rows.filter(holds).map(back.read));
  return (row) => included.has(row);
}

const nameOf = (column: string) => column.split('.')[1] ?? '';

/** A comparison of sums over all rows of an entity: sum(stock.on_hand) < sum(stock.reorder_point). */
function testEntity(model: Model, base: string, of: string, text: string): Test {
  const [left = '', sign = '', right = ''] = text.split(/\s*(<=|>=|<|>|=)\s*/);
  const sums = [left, right].map((side) => sumByEntity(model, of, side));
  const reader = readerTo(model, base, of);
  const toEntity: Reader | undefined = reader?.read;
  if (!toEntity) throw new Unsupported(`${of} does not belong to ${base}`);
  return (row) => {
    const entity = toEntity(row);
    return entity !== undefined && signed(sums[0]?.(entity), sign, sums[1]?.(entity));
  };
}

function sumByEntity(model: Model, of: string, side: string): (entity: Row) => number {
  const match = /^(sum|min|max)\((\w+)\.(\w+)\)$/.exec(side);
  if (!match) return () => Number(side);
  const [, how = '', table = '', column = ''] = match;
  const reader = readerTo(model, table, of);
  if (!reader) throw new Unsupported(`${side} does not belong to ${of}`);
  const found = new Map<Row | undefined, number[]>();
  for (const row of model.tables.get(table)?.rows ?? []) {
    const entity = reader.read(row);
    const list = found.get(entity) ?? [];
    found.set(entity, list);
    list.push(Number(row[column]));
  }
  const combine = { sum: (all: number[]) => all.reduce((a, b) => a + b, 0), min: least, max: most }[how] ?? least;
  return (entity) => combine(found.get(entity) ?? [0]);
}

const least = (all: readonly number[]) => all.reduce((a, b) => Math.min(a, b));
const most = (all: readonly number[]) => all.reduce((a, b) => Math.max(a, b));

function signed(left: Cell | undefined, sign: string, right: Cell | undefined): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  return { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right, '=': left === right }[
    sign
  ] as boolean; // the signs of the model file
}

function testNumber(model: Model, base: string, { column, is, value }: DataQuery['numbers'][number]): Test {
  const reader = readerTo(model, base, tableOf(column));
  const holds = (cell: Cell | undefined) => typeof cell === 'number' && compareNumbers(cell, is, value);
  if (!reader) return semiJoin(model, base, [column], holds);
  const read = cellReader(model, base, column);
  return (row) => holds(read(row));
}

export function compareNumbers(left: number, is: Comparison, right: number): boolean {
  switch (is) {
    case 'more':
      return left > right;
    case 'at_least':
      return left >= right;
    case 'less':
      return left < right;
    case 'at_most':
      return left <= right;
    case 'exactly':
      return left === right;
    case 'not':
      return left !== right;
  }
}
