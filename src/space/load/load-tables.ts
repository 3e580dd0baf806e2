import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ColumnType } from './column-type.ts';
import { proveJoins, proveKey } from './prove-tables.ts';
import type { Stored, TableNote } from './read-column.ts';
import { readTable, type TableFile, type TableSink } from './read-table.ts';

export interface LoadedTable {
  name: string;
  /** `missing` is the number of rows without a value. */
  columns: { name: string; type: ColumnType; missing: number }[];
  rows: number;
  notes: TableNote[];
}

/** Increase it whenever the same files would give a different database. */
const FORMAT = 3;
/** Tables of the loader. Their names contain a blank, so they cannot clash with a table of a space. */
const NOTES = '"read notes"';
const COLUMNS = '"read columns"';
/** Rows of one INSERT: each statement costs about as much as five rows. */
const ROWS_AT_ONCE = 50;
/** SQLite's default limit of parameters is 32,766. */
const MAX_PARAMETERS = 30_000;

/**
 * Creates a database from CSV files, or reuses the one made from the same content. The file gets its final name only
 * when it is complete. Databases of older content are removed.
 */
export async function loadTables(
  folder: string,
  space: string,
  files: readonly TableFile[],
): Promise<{ path: string }> {
  const content = createHash('sha256').update(
    JSON.stringify([FORMAT, files.map(({ path: _, ...described }) => described)]),
  );
  for (const { path } of files) {
    content.update(`${statSync(path).size}:`);
    for await (const piece of createReadStream(path)) content.update(piece);
  }
  const path = join(folder, `${space}-${content.digest('hex').slice(0, 24)}.db`);
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  try {
    await writeDatabase(draft, files);
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
    const columns = database.prepare(`SELECT name, type, missing FROM ${COLUMNS} WHERE "table" = ?`).all(name);
    const count = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
    return {
      name,
      columns: columns.map((column) => ({
        name: String(column.name),
        type: column.type as ColumnType, // written by `writeTable`
        missing: Number(column.missing),
      })),
      rows: Number(count?.rows ?? 0),
      notes: readNotes(database).flatMap(({ table, ...note }) => (table === name ? [note] : [])),
    };
  });
}

/** Reads the notes that were made when the files were read. */
export function readNotes(database: DatabaseSync): (TableNote & { table: string })[] {
  const rows = database.prepare(`SELECT "table", "column", text FROM ${NOTES}`).all();
  return rows.map(({ table, column, text }) => ({
    table: String(table),
    ...(column !== null && { column: String(column) }),
    text: String(text),
  }));
}

async function writeDatabase(path: string, files: readonly TableFile[]): Promise<void> {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    database.exec(`CREATE TABLE ${NOTES} ("table" TEXT, "column" TEXT, text TEXT)`);
    database.exec(`CREATE TABLE ${COLUMNS} ("table" TEXT, name TEXT, type TEXT, missing INTEGER)`);
    for (const file of files) await writeTable(database, file);
    for (const file of files) writeNotes(database, file, await proveJoins(database, file, files));
    database.exec('COMMIT; PRAGMA analysis_limit = 1000; ANALYZE');
  } finally {
    database.close();
  }
}

async function writeTable(database: DatabaseSync, file: TableFile): Promise<void> {
  const sink = createSink(database, file.name);
  const { columns, notes } = await readTable(file, sink);
  sink.flush();
  // `findWrongReferences` reports a name that is no column, with its place.
  const areKnown = (names: readonly string[]) =>
    names.every((wanted) => columns.some(({ name }) => name.toLowerCase() === wanted.toLowerCase()));
  for (const [number, indexed] of file.indexes.filter(areKnown).entries()) {
    const list = indexed.map((column) => `"${column}"`).join(', ');
    database.exec(`CREATE INDEX "${file.name}_${number}" ON "${file.name}" (${list})`);
  }
  const describe = database.prepare(`INSERT INTO ${COLUMNS} VALUES (?, ?, ?, ?)`);
  for (const { name, type, missing } of columns) describe.run(file.name, name, type, missing);
  writeNotes(database, file, notes);
  if (areKnown(file.key ?? [])) await proveKey(database, file);
}

function writeNotes(database: DatabaseSync, { name }: TableFile, notes: readonly TableNote[]): void {
  const remark = database.prepare(`INSERT INTO ${NOTES} VALUES (?, ?, ?)`);
  for (const { column, text } of notes) remark.run(name, column ?? null, text);
}

/** Writes rows into a table, several with each statement. */
function createSink(database: DatabaseSync, table: string): TableSink & { flush(): void } {
  let width = 1;
  let rowsAtOnce = 1;
  let insertMany: StatementSync | undefined;
  let waiting: Stored[] = [];
  const prepare = (rows: number) => {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    return database.prepare(`INSERT INTO "${table}" VALUES ${Array.from({ length: rows }, () => row).join(', ')}`);
  };
  return {
    begin(columns) {
      database.exec(`DROP TABLE IF EXISTS "${table}"`);
      const definitions = columns.map(({ name, type }) => `"${name}" ${type.toUpperCase()}`);
      database.exec(`CREATE TABLE "${table}" (${definitions.join(', ')})`);
      width = columns.length;
      rowsAtOnce = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(MAX_PARAMETERS / width)));
      insertMany = prepare(rowsAtOnce);
      waiting = [];
    },
    add(row) {
      for (const value of row) waiting.push(value);
      if (waiting.length < width * rowsAtOnce) return;
      insertMany?.run(...waiting);
      waiting = [];
    },
    flush() {
      if (waiting.length > 0) prepare(waiting.length / width).run(...waiting);
      waiting = [];
    },
  };
}

function removeOlder(path: string, space: string): void {
  const isOlder = (file: string) =>
    file.startsWith(`${space}-`) && /-[\da-f]{24}\.db$/.test(file) && file !== basename(path);
  for (const file of readdirSync(dirname(path)).filter(isOlder)) rmSync(join(dirname(path), file), { force: true });
}
