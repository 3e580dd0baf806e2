import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readCsv } from '../../files/read-csv.ts';
import { openCsv } from './open-csv.ts';
import type { TableNote } from './read-column.ts';
import type { TableFile } from './read-table.ts';

/** The number of rows that a message names. */
const MAX_NAMED = 3;

/**
 * Proves the key of a table: present in every row, and never twice. Throws with file and line, because rows that are
 * counted twice give wrong figures without any sign of it. The index that proves it also serves joins.
 */
export async function proveKey(database: DatabaseSync, file: TableFile): Promise<void> {
  const { key = [] } = file;
  if (key.length === 0) return;
  const name = basename(file.path);
  const list = key.map((column) => `"${column}"`).join(', ');
  const empty = database
    .prepare(
      `SELECT rowid FROM "${file.name}" WHERE ${key.map((column) => `"${column}" IS NULL`).join(' OR ')} LIMIT 1`,
    )
    .get();
  if (empty)
    throw new Error(`${name}:${await lineOf(file, Number(empty.rowid))}: ${key.join(', ')} is empty; it is the key`);
  try {
    database.exec(`CREATE UNIQUE INDEX "${file.name} key" ON "${file.name}" (${list})`);
  } catch (error) {
    throw (await describeTwice(database, file, list)) ?? error;
  }
}

async function describeTwice(database: DatabaseSync, file: TableFile, list: string): Promise<Error | undefined> {
  const twice = database
    .prepare(
      `SELECT min(rowid) AS first, max(rowid) AS again, ${list} FROM "${file.name}" GROUP BY ${list} HAVING count(*) > 1 ORDER BY again LIMIT ${MAX_NAMED}`,
    )
    .all();
  if (twice.length === 0) return undefined;
  const name = basename(file.path);
  const rows = twice.flatMap(({ first, again }) => [Number(first), Number(again)]);
  const lines = await linesOf(file, rows);
  const parts = twice.map(({ first, again, ...key }) => {
    const value = Object.values(key).join(', ');
    return `${name}:${lines.get(Number(again))}: ${Object.keys(key).join(', ')} ${value} is also on line ${lines.get(Number(first))}`;
  });
  return new Error(`${parts.join('; ')}; a key must be unique`);
}

/**
 * Proves the joins of a table. Rows whose value the other table lacks are a note for every answer that uses the join;
 * a join that no row fits is refused.
 */
export async function proveJoins(
  database: DatabaseSync,
  file: TableFile,
  files: readonly TableFile[],
): Promise<TableNote[]> {
  const notes: TableNote[] = [];
  for (const { role, by, table } of file.joins ?? []) {
    const target = files.find(({ name }) => name === table);
    const [key, ...more] = target?.key ?? [];
    const name = basename(file.path);
    if (!target || key === undefined || more.length > 0)
      throw new Error(`${name}: the join ${role} needs a key of one column in ${table}, so that it is many-to-one`);
    const note = await describeOrphans(database, { file, by, target, key });
    if (note) notes.push({ column: by, text: note });
  }
  return notes;
}

interface JoinProof {
  file: TableFile;
  by: string;
  target: TableFile;
  key: string;
}

async function describeOrphans(database: DatabaseSync, { file, by, target, key }: JoinProof) {
  const name = basename(file.path);
  const column = database.prepare('SELECT name FROM pragma_table_info(?) WHERE name = ? COLLATE NOCASE');
  if (!column.get(file.name, by) || !column.get(target.name, key)) return undefined; // `findWrongReferences` reports it
  const rows = database.prepare(`SELECT count("${by}") AS count FROM "${file.name}"`).get();
  const orphans = database
    .prepare(
      `SELECT count(*) AS count, min(t.rowid) AS first FROM "${file.name}" t LEFT JOIN "${target.name}" o ON o."${key}" = t."${by}" WHERE t."${by}" IS NOT NULL AND o."${key}" IS NULL`,
    )
    .get();
  const count = Number(orphans?.count ?? 0);
  if (count === 0) return undefined;
  const other = basename(target.path);
  if (count === Number(rows?.count))
    throw new Error(`${name}: no value of ${by} is a ${key} of ${other}; check the join`);
  const line = await lineOf(file, Number(orphans?.first));
  const verb = count === 1 ? 'is' : 'are';
  return `${count} of ${rows?.count} values of ${by} ${verb} not in ${other} (first on line ${line} of ${name}).`;
}

async function lineOf(file: TableFile, row: number): Promise<number | undefined> {
  return (await linesOf(file, [row])).get(row);
}

/** The lines of rows by their number. The file is read again, since only a fault needs them. */
async function linesOf(file: TableFile, rows: readonly number[]): Promise<Map<number, number>> {
  const lines = new Map<number, number>();
  let row = -1; // the header
  const last = Math.max(...rows);
  await readCsv((await openCsv(file.path)).pieces(), {
    maxRows: last + 1,
    onRow({ line }) {
      row++;
      if (rows.includes(row)) lines.set(row, line);
    },
  });
  return lines;
}
