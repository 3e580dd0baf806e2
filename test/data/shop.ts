import { readdirSync, readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import type { DataQuery } from '../../src/schema/data-query.ts';

/** The retail model files and CSV rows, read by code of their own: the evaluation shares no code with src/space. */

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

interface JoinEntry {
  table: string;
  by: string;
}

export interface Table {
  name: string;
  rows: readonly Row[];
  key: readonly string[];
  label?: string;
  time?: string;
  isSnapshot: boolean;
  names: readonly string[];
  joins: readonly JoinEntry[];
}

export interface Measure {
  name: string;
  table: string;
  how: 'sum' | 'average' | 'count' | 'share' | 'ratio' | 'highest' | 'lowest';
  /** An expression, or two of a ratio. */
  expressions: readonly string[];
  where: Readonly<Record<string, Cell>>;
  unit: string;
  names: readonly string[];
  isLevel: boolean;
  /** Groups with fewer rows are ranked last. */
  minRows: number;
  overTime?: string;
}

export interface Dimension {
  name: string;
  /** table.column of each home. */
  columns: readonly string[];
}

interface Filter {
  name: string;
  columns: readonly string[];
  is?: Cell;
  of?: string;
  where?: string;
  rows?: string;
}

export interface Model {
  space: string;
  tables: ReadonlyMap<string, Table>;
  measures: ReadonlyMap<string, Measure>;
  dimensions: ReadonlyMap<string, Dimension>;
  filters: ReadonlyMap<string, Filter>;
  verified: readonly { ask: string; query: unknown }[];
  /** The newest date of all tables, which relative periods count from. */
  today: string;
}

/** The fields of a space file that are used here. */
interface FileEntry {
  name: string;
  tables: Record<string, TableEntry>;
  measures?: Record<string, MeasureEntry>;
  dimensions?: Record<string, { columns: string[] }>;
  filters?: Record<string, { columns?: string[]; is?: Cell; of?: string; where?: string; rows?: string }>;
  verified?: { ask: string; query: unknown }[];
}
interface TableEntry {
  file: string;
  key?: string | string[];
  label?: string;
  time?: string;
  snapshot?: boolean;
  say?: string;
  joins?: string[] | Record<string, string | { table: string; by: string }>;
}
type MeasureEntry = Partial<Record<Exclude<Measure['how'], 'ratio'>, string>> & {
  ratio?: string[];
  where?: Record<string, Cell>;
  unit: string;
  synonyms?: string[];
  time_sum?: string;
  min_rows?: number;
  over_time?: string;
};

const SPACES = new URL('../../agents/retail/spaces/', import.meta.url);

/** Every space of the retail agent. */
export function readShop(): Model[] {
  return readdirSync(SPACES)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readModel(new URL(file, SPACES)));
}

function readModel(url: URL): Model {
  const file = parseYaml(readFileSync(url, 'utf8')) as FileEntry; // checked by the product's own tests
  const tables = mapOf(file.tables, (name, entry) => readTable(name, entry, { url, all: file.tables }));
  const dates = [...tables.values()].flatMap(({ time, rows }) => rows.map((row) => String(row[time ?? ''] ?? '')));
  return {
    space: file.name,
    tables,
    measures: mapOf(file.measures ?? {}, readMeasure),
    dimensions: mapOf(file.dimensions ?? {}, (name, { columns }) => ({ name, columns })),
    filters: mapOf(file.filters ?? {}, (name, { columns = [], ...rest }) => ({ name, columns, ...rest })),
    verified: file.verified ?? [],
    today: dates.reduce((newest, date) => (date.length === 10 && date > newest ? date : newest), ''),
  };
}

function mapOf<T, R>(entries: Record<string, T>, convert: (name: string, entry: T) => R): Map<string, R> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name, convert(name, entry)]));
}

const keyOf = (table: string, all: FileEntry['tables']) => [all[table]?.key ?? ''].flat()[0] ?? '';

function singular(table: string): string {
  return table.replaceAll('_', ' ').replace(/s$/, '');
}

function readTable(name: string, entry: TableEntry, { url, all }: { url: URL; all: FileEntry['tables'] }): Table {
  const text = readFileSync(new URL(entry.file, url), 'utf8');
  const records: Record<string, string>[] = parseCsv(text, { columns: true });
  const joins = Object.values(entry.joins ?? {}).map((join) =>
    typeof join === 'string' ? { table: join, by: keyOf(join, all) } : { table: join.table, by: join.by },
  );
  const noun = entry.say ?? singular(name);
  const isCounted = entry.say !== undefined || typeof entry.key === 'string';
  return {
    name,
    rows: typed(records),
    key: [entry.key ?? []].flat(),
    isSnapshot: entry.snapshot ?? false,
    names: isCounted ? [noun] : [],
    joins,
    ...(entry.label !== undefined && { label: entry.label }),
    ...(entry.time !== undefined && { time: entry.time }),
  };
}

/** Columns of nothing but numbers become numbers; an empty field is no value. */
function typed(records: readonly Record<string, string>[]): Row[] {
  const isNumber = (text: string) => text === '' || /^-?\d+(?:\.\d+)?$/.test(text);
  const columns = Object.keys(records[0] ?? {});
  const numeric = new Set(columns.filter((column) => records.every((record) => isNumber(record[column] ?? ''))));
  const toCell = (column: string, text: string) => (text === '' ? null : numeric.has(column) ? Number(text) : text);
  return records.map((record) =>
    Object.fromEntries(columns.map((column) => [column, toCell(column, record[column] ?? '')])),
  );
}

const KINDS = ['sum', 'average', 'count', 'share', 'ratio', 'highest', 'lowest'] as const;

function readMeasure(name: string, entry: MeasureEntry): Measure {
  const how = KINDS.find((kind) => typeof entry[kind] === 'string' || (kind === 'ratio' && entry.ratio)) ?? 'count';
  const expressions = [entry[how] ?? []].flat();
  const [table = ''] = (expressions[0] ?? '').replace(/^-/, '').split('.');
  return {
    name,
    table: table.trim(),
    how,
    expressions,
    where: entry.where ?? {},
    unit: entry.unit,
    // A single word may mean something else; the full names are those of several words.
    names: (entry.synonyms ?? []).filter((words) => words.endsWith(` ${name}`)),
    isLevel: entry.time_sum === 'last',
    minRows: entry.min_rows ?? 1,
    ...(entry.over_time !== undefined && { overTime: entry.over_time }),
  };
}

type Period = NonNullable<DataQuery['period']>;
type Grain = NonNullable<DataQuery['grain']>;

/** True if a day is inside a period. A month counts if its first day is. */
export function isWithin(value: Cell | undefined, { from, to }: Pick<Period, 'from' | 'to'>): boolean {
  if (typeof value !== 'string') return false;
  const day = value.length === 7 ? `${value}-01` : value.slice(0, 10);
  return day >= from && day <= to;
}

const DAY_MS = 86_400_000;

/** The step of a series that a day belongs to; a week is named by its Monday. */
export function bucketOf(value: string, grain: Grain): string {
  const day = value.length === 7 ? `${value}-01` : value.slice(0, 10);
  switch (grain) {
    case 'day':
      return day;
    case 'week': {
      const time = Date.parse(`${day}T00:00:00Z`);
      const afterMonday = (new Date(time).getUTCDay() + 6) % 7;
      return new Date(time - afterMonday * DAY_MS).toISOString().slice(0, 10);
    }
    case 'month':
      return day.slice(0, 7);
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
    case 'year':
      return day.slice(0, 4);
  }
}
