import { basename } from 'node:path';
import { decodeText } from '../files/decode-text.ts';
import { type CsvRow, listFaults, readCsv } from '../files/read-csv.ts';
import { type ColumnType, createTypeWatch, isMissing, toStored } from './column-type.ts';

/** A CSV file that becomes a table. */
export interface TableFile {
  name: string;
  path: string;
  /** Columns whose type is not left to their values. */
  types: Readonly<Record<string, ColumnType>>;
  indexes: readonly (readonly string[])[];
}

/** A remark about how a file was read, for whoever uses its figures. */
export interface TableNote {
  /** Only what uses this column is concerned. */
  column?: string;
  text: string;
}

export interface ReadTable {
  columns: { name: string; type: ColumnType }[];
  rows: Iterable<(string | number | null)[]>;
  notes: TableNote[];
}

const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Examples in a message. */
const MAX_NAMED = 3;
const MAX_SHOWN_CHARS = 40;

/** Reads one CSV file. Throws with file and line when a figure made of it could be wrong. */
export async function readTable(file: TableFile, bytes: Buffer): Promise<ReadTable> {
  const name = basename(file.path);
  const { text, notes } = decode(bytes, name);
  const rows: CsvRow[] = [];
  const faults = await readCsv(text, { onRow: (row) => rows.push(row) });
  if (faults.length > 0)
    throw new Error(listFaults(faults, ({ line, problem }) => `${name}:${line}: ${problem}`).join('; '));
  const [header, ...records] = rows;
  checkHeader(header?.fields ?? [], name);
  const columns = (header?.fields ?? []).map((column, index) => readColumn({ file, column, index, name, records }));
  return {
    columns: columns.map(({ column, type }) => ({ name: column, type })),
    rows: records.values().map((_, at) => columns.map(({ values }) => values[at] ?? null)),
    notes: [...notes, ...columns.flatMap((column) => column.notes)],
  };
}

function decode(bytes: Buffer, name: string): { text: string; notes: TableNote[] } {
  const { text, guessed, lost } = decodeText(bytes);
  if (lost !== undefined) {
    const line = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
    throw new Error(`${name}:${line}: ${lost} characters cannot be decoded; save the file as UTF-8`);
  }
  const note = `${name} is not UTF-8 and was read as ${guessed}; save it as UTF-8 if letters are wrong`;
  return { text, notes: guessed === undefined ? [] : [{ text: note }] };
}

interface ColumnInput {
  file: TableFile;
  column: string;
  index: number;
  /** The file's name for messages. */
  name: string;
  records: readonly CsvRow[];
}

function readColumn({ file, column, index, name, records }: ColumnInput) {
  const watch = createTypeWatch();
  for (const { fields } of records) watch.see(fields[index] ?? '');
  const type = file.types[column] ?? watch.type();
  const missing: { line: number; value: string }[] = [];
  const values = records.map(({ fields, line }) => {
    const value = fields[index] ?? '';
    const stored = toStored(value, type);
    if (stored === undefined) throw new Error(`${name}:${line}: ${shorten(value)} in ${column} is not a number`);
    if (type !== 'text' && isMissing(value)) missing.push({ line, value: value.trim() });
    return stored;
  });
  const stray = type === 'text' && file.types[column] === undefined ? watch.stray() : undefined;
  const notes: TableNote[] = [];
  if (missing.length > 0)
    notes.push({ column, text: describeMissing(missing, { column, name, total: values.length }) });
  if (stray) {
    const text = `${column} of ${name} is read as text, because ${stray.count} of ${stray.total} values are not numbers, such as ${shorten(stray.value)}.`;
    notes.push({ column, text });
  }
  return { column, type, values, notes };
}

interface MissingPlace {
  column: string;
  name: string;
  total: number;
}

function describeMissing(
  missing: readonly { line: number; value: string }[],
  { column, name, total }: MissingPlace,
): string {
  const kinds = [...new Set(missing.map(({ value }) => shorten(value)))].slice(0, MAX_NAMED).join(', ');
  const are = missing.length === 1 ? 'is' : 'are';
  return `${missing.length} of ${total} values of ${column} ${are} missing (${kinds}, first on line ${missing[0]?.line} of ${name}).`;
}

function shorten(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}

function checkHeader(header: readonly string[], file: string): void {
  if (header.length === 0) throw new Error(`${file} is empty; its first line must name the columns`);
  const wrong = header.find((column) => !COLUMN_NAME.test(column));
  if (wrong !== undefined)
    throw new Error(`${file}: "${wrong.slice(0, 60)}" cannot be a column; use letters, digits and _`);
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined) throw new Error(`${file}: there are two columns named ${twice}`);
}
