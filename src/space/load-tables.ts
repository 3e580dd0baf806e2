import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ColumnType } from './column-type.ts';
import { readTable, type TableFile, type TableNote } from './read-table.ts';

export interface LoadedTable {
  name: string;
  columns: { name: string; type: ColumnType }[];
  rows: number;
  notes: TableNote[];
}

/** Grows whenever the same files would give another database. */
const FORMAT = 2;
/** Holds the notes. No table of a space can be called so: it has a space in its name. */
const NOTES = '"read notes"';

/**
 * Makes a database of CSV files, or finds the one that was made of the same content before. The file stands under
 * its final name only when it is whole; what was made of older content is removed.
 */
export async function loadTables(
  folder: string,
  space: string,
  files: readonly TableFile[],
): Promise<{ path: string }> {
  const contents = files.map((file) => readFileSync(file.path));
  const content = createHash('sha256').update(
    JSON.stringify([FORMAT, files.map(({ name, types, indexes }) => [name, types, indexes])]),
  );
  for (const bytes of contents) content.update(`${bytes.length}:`).update(bytes);
  const path = join(folder, `${space}-${content.digest('hex').slice(0, 24)}.db`);
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  try {
    await writeDatabase(draft, files, contents);
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
      notes: readNotes(database).flatMap(({ table, ...note }) => (table === name ? [note] : [])),
    };
  });
}

/** What was remarked when the files were read. */
export function readNotes(database: DatabaseSync): (TableNote & { table: string })[] {
  const rows = database.prepare(`SELECT "table", "column", text FROM ${NOTES}`).all();
  return rows.map(({ table, column, text }) => ({
    table: String(table),
    ...(column !== null && { column: String(column) }),
    text: String(text),
  }));
}

async function writeDatabase(path: string, files: readonly TableFile[], contents: readonly Buffer[]): Promise<void> {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    database.exec(`CREATE TABLE ${NOTES} ("table" TEXT, "column" TEXT, text TEXT)`);
    for (const [index, file] of files.entries()) await writeTable(database, file, contents[index] ?? Buffer.alloc(0));
    database.exec('COMMIT; PRAGMA analysis_limit = 1000; ANALYZE');
  } finally {
    database.close();
  }
}

async function writeTable(database: DatabaseSync, file: TableFile, bytes: Buffer): Promise<void> {
  const { columns, rows, notes } = await readTable(file, bytes);
  const definitions = columns.map(({ name, type }) => `"${name}" ${type.toUpperCase()}`);
  database.exec(`CREATE TABLE "${file.name}" (${definitions.join(', ')})`);
  const insert = database.prepare(`INSERT INTO "${file.name}" VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(...row);
  for (const [number, indexed] of file.indexes.entries()) {
    const list = indexed.map((column) => `"${column}"`).join(', ');
    database.exec(`CREATE INDEX "${file.name}_${number}" ON "${file.name}" (${list})`);
  }
  const remark = database.prepare(`INSERT INTO ${NOTES} VALUES (?, ?, ?)`);
  for (const { column, text } of notes) remark.run(file.name, column ?? null, text);
}

function removeOlder(path: string, space: string): void {
  const isOlder = (file: string) =>
    file.startsWith(`${space}-`) && /-[\da-f]{24}\.db$/.test(file) && file !== basename(path);
  for (const file of readdirSync(dirname(path)).filter(isOlder)) rmSync(join(dirname(path), file), { force: true });
}
