import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ColumnType, createTypeWatch, toStored } from './column-type.ts';
import { parseCsv } from './csv.ts';

/** A CSV file that becomes a table. */
export interface TableFile {
  name: string;
  path: string;
  /** Columns whose type is not left to their values. */
  types: Readonly<Record<string, ColumnType>>;
  indexes: readonly (readonly string[])[];
}

export interface LoadedTable {
  name: string;
  columns: { name: string; type: ColumnType }[];
  rows: number;
}

/** Grows whenever the same files would give another database. */
const FORMAT = 1;
const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Makes a database of CSV files, or finds the one that was made of the same content before. The file stands under
 * its final name only when it is whole; what was made of older content is removed.
 */
export function loadTables(folder: string, space: string, files: readonly TableFile[]): { path: string } {
  const texts = files.map((file) => readFileSync(file.path, 'utf8'));
  const content = createHash('sha256').update(
    JSON.stringify([FORMAT, files.map(({ name, types, indexes }) => [name, types, indexes])]),
  );
  for (const text of texts) content.update(`${text.length}:`).update(text);
  const path = join(folder, `${space}-${content.digest('hex').slice(0, 24)}.db`);
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  try {
    writeDatabase(draft, files, texts);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  removeOlder(path, space);
  return { path };
}

/** The tables of a loaded database with their columns and sizes. */
export function describeTables(database: DatabaseSync, names: readonly string[]): LoadedTable[] {
  return names.map((name) => {
    const columns = database.prepare(`SELECT name, lower(type) AS type FROM pragma_table_info(?)`).all(name);
    const count = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
    return {
      name,
      // The types were written by `writeDatabase`.
      columns: columns.map((column) => ({ name: String(column.name), type: column.type as ColumnType })),
      rows: Number(count?.rows ?? 0),
    };
  });
}

function writeDatabase(path: string, files: readonly TableFile[], texts: readonly string[]): void {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    for (const [index, file] of files.entries()) writeTable(database, file, texts[index] ?? '');
    database.exec('COMMIT; PRAGMA analysis_limit = 1000; ANALYZE');
  } finally {
    database.close();
  }
}

function writeTable(database: DatabaseSync, file: TableFile, text: string): void {
  const [header = [], ...records] = parseCsv(text);
  checkHeader(header, file);
  const types = header.map((column, index) => file.types[column] ?? typeOf(records, index));
  const definitions = header.map((column, index) => `"${column}" ${(types[index] ?? 'text').toUpperCase()}`);
  database.exec(`CREATE TABLE "${file.name}" (${definitions.join(', ')})`);
  const insert = database.prepare(`INSERT INTO "${file.name}" VALUES (${header.map(() => '?').join(', ')})`);
  for (const record of records) insert.run(...types.map((type, index) => toStored(record[index] ?? '', type)));
  for (const [number, columns] of file.indexes.entries()) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    database.exec(`CREATE INDEX "${file.name}_${number}" ON "${file.name}" (${list})`);
  }
}

function typeOf(records: readonly string[][], index: number): ColumnType {
  const watch = createTypeWatch();
  for (const record of records) watch.see(record[index] ?? '');
  return watch.type();
}

function checkHeader(header: readonly string[], { path }: TableFile): void {
  const file = basename(path);
  if (header.length === 0) throw new Error(`${file} is empty; its first line must name the columns`);
  const wrong = header.find((column) => !COLUMN_NAME.test(column));
  if (wrong !== undefined)
    throw new Error(`${file}: "${wrong.slice(0, 60)}" cannot be a column; use letters, digits and _`);
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined) throw new Error(`${file}: there are two columns named ${twice}`);
}

function removeOlder(path: string, space: string): void {
  const isOlder = (file: string) =>
    file.startsWith(`${space}-`) && /-[\da-f]{24}\.db$/.test(file) && file !== basename(path);
  for (const file of readdirSync(dirname(path)).filter(isOlder)) rmSync(join(dirname(path), file), { force: true });
}
