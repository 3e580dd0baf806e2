import { formatName, formatValue } from '../parts/format-value.ts';
import { STRINGS } from '../strings.ts';
import { type DataColumn, type DataResult, type DataRow, isNumeric } from './data-result.ts';

interface ChartPoint {
  label: string;
  value: number;
  text: string;
}

export interface ChartData {
  kind: 'bars' | 'line';
  title: string;
  points: readonly ChartPoint[];
  /** The value of a full bar, such as 100 %; else the largest value fills it. */
  full?: number;
}

const FEWEST = 2;
const MOST_BARS = 20;
const MOST_POINTS = 400;

/**
 * A chart of rows: the column that they are ordered by, else the one that the answer cites, else the first number of a
 * query and the last one of other tools. A tool that says how its rows are best drawn decides whether there is one.
 */
export function chartOf(data: DataResult, citedColumn?: string): ChartData | undefined {
  const { columns, rows, drawing } = data;
  if (drawing === 'figure' || drawing === 'table') return undefined;
  const numbers = columns.filter(
    (column) => isNumeric(column) && rows.every((row) => typeof row[column.name] === 'number'),
  );
  const label = columns.find((column) => !isNumeric(column));
  const value =
    numbers.find((column) => isOrdered(rows, column)) ??
    numbers.find((column) => column.name === citedColumn) ??
    (drawing ? numbers[0] : numbers.at(-1));
  if (!label || !value || rows.length < FEWEST) return undefined;
  const kind = drawing ?? (isTime(label, rows) ? 'line' : 'bars');
  if (rows.length > (kind === 'line' ? MOST_POINTS : MOST_BARS)) return undefined;
  const title = STRINGS.chart.title(formatName(value.name), formatName(label.name));
  const points = rows.map((row) => toPoint(row, label, value));
  const isShare = value.format === 'percent' && points.every((point) => point.value >= 0 && point.value <= 1);
  return { kind, title, points, ...(isShare && { full: 1 }) };
}

function toPoint(row: DataRow, label: DataColumn, value: DataColumn): ChartPoint {
  const number = Number(row[value.name]);
  return { label: formatValue(row[label.name]), value: number, text: formatValue(number, value.format) };
}

function isOrdered(rows: readonly DataRow[], { name }: DataColumn): boolean {
  const values = rows.map((row) => Number(row[name]));
  if (new Set(values).size < FEWEST) return false;
  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value));
}

function isTime({ name, type }: DataColumn, rows: readonly DataRow[]): boolean {
  if (/DATE|TIME/i.test(type)) return true;
  return /date|month|week|day|year/i.test(name) && rows.every((row) => /^\d{4}(-\d{2}){0,2}$/.test(String(row[name])));
}

/** The whole chart in words, for people who do not see it. */
export function describeChart({ title, points }: ChartData): string {
  return `${title}: ${points.map(({ label, text }) => `${label} ${text}`).join(', ')}`;
}
