import { basename } from 'node:path';
import { type CsvFault, type CsvRow, listFaults, readCsv } from '../../files/read-csv.ts';
import type { ColumnType } from './column-type.ts';
import { type CsvSource, openCsv } from './open-csv.ts';
import { type ColumnReader, createColumnReader, type Stored, type TableNote } from './read-column.ts';

/** A CSV file that becomes a table. */
export interface TableFile {
  name: string;
  path: string;
  indexes: readonly (readonly string[])[];
  /** The columns that identify a row; proven when the file is read. */
  key?: readonly string[];
  /** Many-to-one joins to the keys of other tables; proven too. */
  joins?: readonly { role: string; by: string; table: string }[];
}

interface ReadColumn {
  name: string;
  type: ColumnType;
  /** Rows without a value. */
  missing: number;
}

export interface ReadTable {
  columns: ReadColumn[];
  rows: number;
  notes: TableNote[];
}

/** Receives the rows of a table. A second `begin` replaces everything that came before it. */
export interface TableSink {
  begin(columns: readonly { name: string; type: ColumnType }[]): void;
  add(row: Stored[]): void;
}

const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** The first rows nearly always show the types of all others. */
const SAMPLE_ROWS = 2_000;

/**
 * Streams a CSV file into a sink. Throws with file and line if a figure computed from it could be wrong. The types of
 * the first rows are tried first; if a later row needs another type, the file is read once more.
 */
export async function readTable(file: TableFile, sink: TableSink): Promise<ReadTable> {
  const source = await openCsv(file.path);
  const sample = await readRows({ file, source, types: {}, maxRows: SAMPLE_ROWS + 1 });
  let types = typesOf(sample);
  for (;;) {
    const read = await readRows({ file, source, types, sink });
    const found = typesOf(read);
    const isAsGuessed = read.every(({ name, isWrong }) => found[name] === types[name] && !isWrong());
    if (isAsGuessed) return describe(read, source);
    types = found;
  }
}

function typesOf(columns: readonly ColumnReader[]): Record<string, ColumnType> {
  return Object.fromEntries(columns.map((column) => [column.name, column.type()]));
}

function describe(columns: readonly ColumnReader[], { note }: CsvSource): ReadTable {
  return {
    columns: columns.map((column) => ({ name: column.name, type: column.type(), missing: column.missing() })),
    rows: columns[0]?.seen() ?? 0,
    notes: [...(note === undefined ? [] : [{ text: note }]), ...columns.flatMap((column) => column.notes())],
  };
}

interface Pass {
  file: TableFile;
  source: CsvSource;
  types: Readonly<Record<string, ColumnType>>;
  sink?: TableSink;
  maxRows?: number;
}

async function readRows({ file, source, types, sink, maxRows }: Pass): Promise<ColumnReader[]> {
  const name = basename(file.path);
  let columns: ColumnReader[] | undefined;
  const onRow = ({ line, fields }: CsvRow) => {
    if (columns) {
      const row = columns.map((column, index) => column.read(fields[index] ?? '', line));
      sink?.add(row);
      return;
    }
    columns = readHeader(fields, name).map((column) =>
      createColumnReader({ name: column, file: name, type: types[column] }),
    );
    sink?.begin(columns.map((column) => ({ name: column.name, type: types[column.name] ?? 'text' })));
  };
  const faults = await readCsv(source.pieces(), { onRow, ...(maxRows !== undefined && { maxRows }) });
  if (faults.length > 0) throw new Error(describeFaults(faults, name));
  if (!columns) throw new Error(`${name} is empty; its first line must name the columns`);
  return columns;
}

function describeFaults(faults: readonly CsvFault[], name: string): string {
  return listFaults(faults, ({ line, problem }) => `${name}:${line}: ${problem}`).join('; ');
}

/** The names of the columns. A title such as "Order Date" becomes order_date, "Price (€)" price_eur. */
function readHeader(titles: readonly string[], file: string): string[] {
  const names = titles.map((title) => (COLUMN_NAME.test(title) ? title : toColumnName(title)));
  const wrong = names.findIndex((name) => !COLUMN_NAME.test(name));
  if (wrong >= 0)
    throw new Error(`${file}: "${titles[wrong]?.slice(0, 60)}" cannot be a column; use letters, digits and _`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${file}: there are two columns named ${twice}`);
  return names;
}

function toColumnName(title: string): string {
  const name = title
    .replaceAll('€', ' eur ')
    .replaceAll('£', ' gbp ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return name.replace(/^(?=\d)/, '_').toLowerCase();
}
