import type { ColumnFormat } from '../../src/schema/column-format.ts';
import { CHART_STRINGS } from '../panel-strings.ts';
import { formatName, formatValue } from '../parts/format.ts';
import { type DataColumn, type DataResult, type DataRow, isNumeric } from '../state/data-result.ts';

/** A value for each label, in the same order. Undefined where the data has none. */
export interface ChartSeries {
  /** Absent for a single series, which the title names. */
  name?: string;
  values: readonly (number | undefined)[];
}

export interface ChartData {
  kind: 'bars' | 'line';
  title: string;
  labels: readonly string[];
  /** Places of the labels on a line of time. */
  places: readonly number[];
  /** A single series, or two for a comparison: the earlier period first. */
  series: readonly ChartSeries[];
  format?: ColumnFormat;
}

const FEWEST = 2;
const MOST_POINTS = 400;

/**
 * Chooses the one chart for rows: a line over time, bars for groups, none for a single value or a table of several
 * groupings. A tool that names its drawing decides the kind.
 */
export function chartOf(data: DataResult, citedColumn?: string): ChartData | undefined {
  const { columns, rows, drawing } = data;
  const numbers = columns.filter((column) => isNumeric(column) && hasValues(rows, column));
  const label = columns.find((column) => !isNumeric(column));
  if (!label && rows.length === 1) return twoPeriods(data, numbers);
  if (drawing === 'figure' || drawing === 'table' || !label || rows.length < FEWEST) return undefined;
  const times = rows.map((row) => readTimeLabel(String(row[label.name])));
  const kind = drawing ?? (times.every((time) => time) ? 'line' : 'bars');
  const value = valueColumn(data, numbers, { kind, citedColumn });
  const isRepeated = new Set(rows.map((row) => row[label.name])).size < rows.length;
  if (!value || (!drawing && isRepeated) || (kind === 'line' && rows.length > MOST_POINTS)) return undefined;
  return {
    kind,
    title: titleOf(value, label),
    labels: rows.map((row, index) => times[index]?.text ?? formatValue(row[label.name])),
    places: rows.map((_, index) => times[index]?.at ?? index),
    series: seriesOf(data, value),
    ...(value.format && { format: value.format }),
  };
}

function hasValues(rows: readonly DataRow[], { name }: DataColumn): boolean {
  const values = rows.map((row) => row[name]);
  return values.every((value) => typeof value === 'number' || value === null) && values.some((value) => value !== null);
}

interface Choice {
  kind: ChartData['kind'];
  citedColumn: string | undefined;
}

/** The column that the query orders by, else the one that the rows are ordered by, else the cited one, else a default. */
function valueColumn(data: DataResult, numbers: readonly DataColumn[], { kind, citedColumn }: Choice) {
  const named = orderColumn(data);
  const byName = (name: string | undefined) => numbers.find((column) => column.name === name);
  const ordered =
    kind === 'bars' && !data.dataQuery ? numbers.find((column) => isOrdered(data.rows, column)) : undefined;
  return byName(named) ?? ordered ?? byName(citedColumn) ?? (data.drawing ? numbers[0] : numbers.at(-1));
}

const ENDINGS: Readonly<Record<string, string>> = { change: '_change', growth: '_change_in_percent' };

function orderColumn({ dataQuery }: DataResult): string | undefined {
  const { by, of } = dataQuery?.order ?? {};
  return by && `${by.replaceAll(' ', '_')}${ENDINGS[of ?? ''] ?? ''}`;
}

function isOrdered(rows: readonly DataRow[], { name }: DataColumn): boolean {
  const values = rows.map((row) => Number(row[name]));
  if (new Set(values).size < FEWEST) return false;
  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value));
}

/** The values, after those of the earlier period where the rows compare two. */
function seriesOf({ columns, rows, dataQuery }: DataResult, value: DataColumn): ChartSeries[] {
  const valuesOf = ({ name }: DataColumn) => rows.map((row) => (typeof row[name] === 'number' ? row[name] : undefined));
  const before = columns.find(({ name }) => name === `${value.name}_before`);
  if (!before) return [{ values: valuesOf(value) }];
  const [earlier, later] = periodNames(dataQuery);
  return [
    { name: earlier, values: valuesOf(before) },
    { name: later, values: valuesOf(value) },
  ];
}

/** A measure in two periods: a bar for each, in time order. */
function twoPeriods({ rows: [row], dataQuery }: DataResult, numbers: readonly DataColumn[]): ChartData | undefined {
  const [value, before] = numbers;
  if (!row || !value || before?.name !== `${value.name}_before`) return undefined;
  return {
    kind: 'bars',
    title: formatName(value.name),
    labels: periodNames(dataQuery),
    places: [0, 1],
    series: [{ values: [Number(row[before.name]), Number(row[value.name])] }],
    ...(value.format && { format: value.format }),
  };
}

function periodNames(query: DataResult['dataQuery']): [string, string] {
  const { period, compare } = query ?? {};
  if (!period || !compare) return [CHART_STRINGS.before, CHART_STRINGS.now];
  return [namePeriod(compare.from, compare.to), namePeriod(period.from, period.to)];
}

function titleOf({ name, unit }: DataColumn, label: DataColumn): string {
  const title = CHART_STRINGS.title(formatName(name), formatName(label.name));
  return unit ? `${title} (${unit})` : title;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const QUARTER_MONTHS = 3;
const WHOLE = /^(\d{4})(?:-(?:Q([1-4])|(\d{2})(?:-(\d{2}))?))?$/;

interface TimeLabel {
  /** Place on a line of time, in milliseconds. */
  at: number;
  text: string;
}

/** Reads 2025, 2025-Q3, 2025-09 or 2025-09-30. Undefined for every other text. */
export function readTimeLabel(label: string): TimeLabel | undefined {
  const [, year, quarter, month, day] = WHOLE.exec(label) ?? [];
  if (year === undefined) return undefined;
  const index = quarter ? (Number(quarter) - 1) * QUARTER_MONTHS : Number(month ?? 1) - 1;
  const name = MONTHS[index];
  if (name === undefined) return undefined;
  const at = Date.UTC(Number(year), index, Number(day ?? 1));
  if (day) return { at, text: `${Number(day)} ${name} ${year}` };
  if (month) return { at, text: `${name} ${year}` };
  return { at, text: quarter ? `Q${quarter} ${year}` : year };
}

/** Names whole days from first to last: "Sep 2025" for a whole month, "2025" for a whole year. */
export function namePeriod(from: string, to: string): string {
  const [first, last] = [readTimeLabel(from), readTimeLabel(to)];
  if (!first || !last) return `${from} – ${to}`;
  if (from === to) return first.text;
  const next = new Date(last.at);
  next.setUTCDate(next.getUTCDate() + 1);
  const isWhole = from.endsWith('-01') && next.getUTCDate() === 1;
  const months = isWhole
    ? (next.getUTCFullYear() - Number(from.slice(0, 4))) * 12 + next.getUTCMonth() - monthOf(from)
    : 0;
  if (months === 1) return readTimeLabel(from.slice(0, 7))?.text ?? from;
  if (months === QUARTER_MONTHS && monthOf(from) % QUARTER_MONTHS === 0)
    return `Q${monthOf(from) / QUARTER_MONTHS + 1} ${from.slice(0, 4)}`;
  if (months === 12 && monthOf(from) === 0) return from.slice(0, 4);
  return `${first.text} – ${last.text}`;
}

/** Counted from 0. */
function monthOf(day: string): number {
  return Number(day.slice(5, 7)) - 1;
}
