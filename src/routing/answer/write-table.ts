import { formatCell } from '../../schema/column-format.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { ResultTable } from '../check/result-tables.ts';

const MAX_ROWS = 50;
const MAX_COLUMNS = 6;
const MAX_CELL_CHARS = 60;

/** Writes several rows as a small table. Of many columns, those with the same value in every row are left out. */
export function writeTable({ rows, formats }: ResultTable): string | undefined {
  if (rows.length < 2) return undefined;
  const all = Object.keys(rows[0] ?? {}).filter((column) => isWorthShowing(rows, column));
  // The winner of every group may be the same one, which is the answer.
  const columns = (all.length > MAX_COLUMNS ? all.filter((column) => isVaried(rows, column)) : all).slice(
    0,
    MAX_COLUMNS,
  );
  if (columns.length < 2) return undefined;
  const shown = rows.slice(0, MAX_ROWS);
  const lines = [
    columns.map(toLabel),
    columns.map((column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---')),
    ...shown.map((row) => columns.map((column) => toCell(row[column], formatCell(row[column], formats.get(column))))),
  ];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return rows.length > shown.length ? `${table}\n\nThe first ${MAX_ROWS} of ${rows.length} rows are shown.` : table;
}

function isWorthShowing(rows: readonly JsonObject[], column: string): boolean {
  const values = rows.map((row) => row[column]);
  const isId = /(?:^|_)id$/i.test(column);
  const isLong = values.some((value) => typeof value === 'string' && value.length > MAX_CELL_CHARS);
  return !isId && !isLong && values.some((value) => value !== null);
}

function isVaried(rows: readonly JsonObject[], column: string): boolean {
  return rows.some((row) => row[column] !== rows[0]?.[column]);
}

function toLabel(column: string): string {
  const words = column.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toCell(value: Json | undefined, text: string): string {
  return typeof value === 'string' ? text.replaceAll('|', '\\|').replace(/\s+/g, ' ') : text;
}
