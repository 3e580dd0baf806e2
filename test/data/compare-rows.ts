import type { DataQuery } from '../../src/schema/data-query.ts';
import type { Computed, ComputedRow } from './compute.ts';

export interface DataTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  /** True if the data has more rows than are shown. */
  isCut: boolean;
  /** Places of the columns that hold shares, which are shown in percent. */
  shares?: ReadonlySet<number> | undefined;
}

/** Why two results differ; undefined if they are the same. Extra columns, such as counts beside averages, are allowed. */
export function findDifference(computed: Computed, actual: DataTable, query: DataQuery): string | undefined {
  const isGrouped = query.dimensions.length > 0 || query.grain !== null;
  const shown = isGrouped ? actual.rows.filter((row) => !row.slice(0, keysOf(query)).includes(null)) : actual.rows;
  const allowed = [...computed.rows, ...computed.ties];
  const find = (rows: readonly ComputedRow[], row: readonly unknown[]) =>
    rows.find((one) => isSameRow(one, row, computed.units, keysOf(query)));
  const strange = shown.find((row) => !find(allowed, row) && !isEmptyRow(row, keysOf(query)));
  if (strange) return `${JSON.stringify(strange)} is not among ${describe(computed.rows)}`;
  if (actual.isCut) return undefined;
  const needed = computed.rows.filter((row) => !computed.ties.includes(row) && (!row.isEmpty || isLow(query)));
  const missing = needed.find((row) => !shown.some((one) => isSameRow(row, one, computed.units, keysOf(query))));
  if (missing) return `${describe([missing])} is missing`;
  const isLimited = query.limit !== null && query.limit_within === null;
  const most = new Set([...computed.rows, ...computed.ties]).size;
  if (isLimited && (shown.length < computed.rows.length || shown.length > most))
    return `${shown.length} rows instead of ${computed.rows.length}`;
  return isLimited ? findDisorder(computed, shown, query) : undefined;
}

const isLow = ({ order, having }: DataQuery) =>
  order?.direction === 'lowest' || having.some(({ is }) => is === 'less' || is === 'at_most');

const keysOf = (query: DataQuery) => query.dimensions.length + (query.grain ? 1 : 0);

/** A group without rows may be shown or left out where the high end is asked for. */
function isEmptyRow(row: readonly unknown[], keys: number): boolean {
  return row.slice(keys).every((cell) => cell === 0 || cell === null);
}

function isSameRow(expected: ComputedRow, row: readonly unknown[], units: readonly string[], keys: number): boolean {
  const names = row.slice(0, keys).map(String);
  if (!expected.key.every((part) => names.includes(part))) return false;
  const figures = row.slice(keys);
  return expected.values.every((value, at) => figures.some((cell) => isSameFigure(value, cell, units[at])));
}

export function isSameFigure(expected: number | null, cell: unknown, unit?: string): boolean {
  if (expected === null || expected === 0)
    return cell === null || cell === undefined || Math.abs(Number(cell)) < 0.000_05;
  if (typeof cell !== 'number') return false;
  const isNear = (value: number, width: number) =>
    Math.abs(value - expected) <= Math.max(width, Math.abs(expected) * 1e-9);
  return unit === 'percent' ? isNear(cell, 0.000_051) || isNear(cell / 100, 0.000_051) : isNear(cell, 0.005_1);
}

function findDisorder(computed: Computed, shown: DataTable['rows'], query: DataQuery): string | undefined {
  const keys = keysOf(query);
  const wrong = computed.rows.findIndex((row, at) => {
    const [value = null] = row.values;
    return !shown[at]?.slice(keys).some((cell) => isSameFigure(value, cell, computed.units[0]));
  });
  return wrong < 0 || query.measures.length > 1 ? undefined : `place ${wrong + 1} has another figure`;
}

function describe(rows: readonly ComputedRow[]): string {
  const list = rows.slice(0, 3).map(({ key, values }) => `${[...key, ...values].join(' ')}`);
  return `${list.join('; ')}${rows.length > 3 ? ` and ${rows.length - 3} more` : ''}`;
}
