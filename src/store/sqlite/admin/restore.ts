import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../errors.ts';
import { makePrivateFile, makePrivateFolder } from '../../../private-folder.ts';
import type { Restored } from '../../admin.ts';
import { MIGRATIONS } from '../migrations.ts';
import { openDatabase } from '../open.ts';
import { FILES, foldLog, inUse, KEPT_IN, READY, replaceFiles, underLock } from '../replace-files.ts';
import { isBusy, isDamaged, toStoreError } from '../store-error.ts';

/** Holds copies that are not proven yet. A restore that dies here changed nothing. */
const STAGED = 'restoring';
const COUNTED = { 'holodeck.db': ['conversations', 'turns', 'messages'], 'tasks.db': ['tasks'] } as const;
type Counts = Omit<Restored, 'kept'>;

/**
 * Replaces the databases of a folder by those of a copy. The copy is proven before anything is replaced; the previous databases
 * are kept in a new folder. A process that dies at any point leaves the previous or the new databases.
 */
export function restoreFolder(source: string, folder: string): Restored {
  if (!existsSync(join(source, 'holodeck.db'))) throw usage(`${source} holds no copy: holodeck.db is missing.`);
  makePrivateFolder(folder);
  const { kept, counts } = lockOrRefuse(folder, () => {
    replaceFiles(folder); // of a restore that died
    const kept = newName(folder);
    return { kept, counts: replaceAll(source, folder, kept) };
  });
  const found = countRows(folder);
  if (JSON.stringify(found) !== JSON.stringify(counts)) throw changed(folder);
  return { ...found, ...(existsSync(join(folder, kept)) && { kept: join(folder, kept) }) };
}

function lockOrRefuse<T>(folder: string, action: () => T): T {
  try {
    return underLock(folder, action);
  } catch (error) {
    throw isBusy(error) ? inUse(folder) : toStoreError(error, folder);
  }
}

function replaceAll(source: string, folder: string, kept: string): Counts {
  const staged = join(folder, STAGED);
  try {
    const counts = stage(source, staged);
    writeFileSync(join(staged, KEPT_IN), kept, { mode: 0o600 });
    for (const name of [...FILES, KEPT_IN]) flush(join(staged, name));
    renameSync(staged, join(folder, READY));
    flush(folder);
    replaceFiles(folder);
    flush(folder);
    return counts;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Copies the databases with their logs, without touching the source. A missing one counts as empty. */
function stage(source: string, target: string): Counts {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { mode: 0o700 });
  for (const name of FILES) {
    const path = join(target, name);
    makePrivateFile(path);
    for (const ending of ['', '-wal'].filter((one) => existsSync(join(source, name + one)))) {
      copyFileSync(join(source, name + ending), path + ending);
      chmodSync(path + ending, 0o600);
    }
    prove(path, join(source, name));
  }
  openDatabase({ path: join(target, 'holodeck.db'), migrations: MIGRATIONS, readOnly: true }).close();
  const counts = countRows(target);
  if (counts.conversations === undefined)
    throw usage(`${source} holds no copy: holodeck.db has no conversations table.`);
  return counts;
}

function prove(path: string, source: string): void {
  try {
    foldLog(path);
    const findings = read(path, (database) => database.prepare('PRAGMA integrity_check(1)').all());
    if (findings[0]?.integrity_check === 'ok') return;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  throw usage(`${source} is damaged. Nothing was changed; use another copy.`);
}

/** The number of rows of each table that exists. */
function countRows(folder: string): Counts {
  const counts: Partial<Record<string, number>> = {};
  for (const [name, tables] of Object.entries(COUNTED)) {
    read(join(folder, name), (database) => {
      for (const table of tables) {
        const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
        if (exists) counts[table] = Number(database.prepare(`SELECT count(*) AS value FROM ${table}`).get()?.value);
      }
    });
  }
  return counts;
}

function read<T>(path: string, action: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return action(database);
  } finally {
    database.close();
  }
}

function newName(folder: string): string {
  const base = 'before-restore';
  let name = base;
  for (let number = 2; existsSync(join(folder, name)); number++) name = `${base}-${number}`;
  return name;
}

/** Flushes a file or the names in a folder to the disk. */
function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function changed(folder: string): AppError {
  const detail = `${folder} does not hold what was restored: another process changed it at once. Run \`holodeck db status\`.`;
  return new AppError('store_unavailable', { detail });
}

function usage(detail: string): AppError {
  return new AppError('usage', { detail });
}
