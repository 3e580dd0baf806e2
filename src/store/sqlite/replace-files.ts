import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { makePrivateFile } from '../../private-folder.ts';
import { retryBusy } from './retry-busy.ts';
import { findLiveRunners } from './runner-lock.ts';
import { isDamaged, orClose } from './store-error.ts';

/** The databases of a data folder. */
export const FILES = ['holodeck.db', 'tasks.db'];
/** Holds databases that are proven and complete. From its creation on, a restore is only ever completed. */
export const READY = 'restore-ready';
/** A file in READY with the name of the folder for the previous databases. */
export const KEPT_IN = 'kept-in';
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** Completes a restore whose process died. Every opening of a database calls it first. */
export function finishRestore(folder: string, busyTimeoutMs: number): void {
  const isDone = () => !existsSync(join(folder, READY));
  if (isDone()) return;
  retryBusy(busyTimeoutMs, () => {
    // Another process may have completed it meanwhile, and keeps the databases open.
    if (!isDone()) underLock(folder, () => replaceFiles(folder));
  });
}

/**
 * Runs `action` while this process alone has the databases of a folder. Each log is moved into its database first, so that a
 * single file holds everything. Throws if another process has one of them open.
 */
export function underLock<T>(folder: string, action: () => T): T {
  const held: DatabaseSync[] = [];
  try {
    for (const name of FILES) {
      const database = lockDatabase(join(folder, name));
      if (database) held.push(database);
    }
    if (findLiveRunners(folder).size > 0) throw inUse(folder);
    return action();
  } finally {
    for (const database of held) database.close();
  }
}

/** Returns undefined for a damaged file and for a log without its database: neither can be locked. */
function lockDatabase(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) {
    if (SIDE_FILES.some((ending) => existsSync(path + ending))) return undefined;
    makePrivateFile(path);
  }
  try {
    // A connection that may write removes the log of a damaged database when it closes.
    const reader = new DatabaseSync(path, { readOnly: true });
    orClose(reader, () => reader.prepare('SELECT count(*) FROM sqlite_schema').get());
    reader.close();
    foldLog(path);
    const database = new DatabaseSync(path, { timeout: 0 });
    return orClose(database, () => {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      // Another process may have opened the file after the log was folded; the lock then excludes only its writes.
      if (database.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') throw inUse(path);
      return database;
    });
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/** Moves the log into the database and removes it. SQLite refuses this while another connection is open. */
export function foldLog(path: string): void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/**
 * Puts the databases of READY into their places. Requires the folder's lock. Each step can be repeated, and at every moment each
 * path leads to the whole previous or the whole new database.
 */
export function replaceFiles(folder: string): void {
  const ready = join(folder, READY);
  if (!existsSync(ready)) return;
  const kept = join(folder, readFileSync(join(ready, KEPT_IN), 'utf8'));
  for (const name of FILES.filter((file) => existsSync(join(ready, file)))) {
    const path = join(folder, name);
    for (const ending of ['', ...SIDE_FILES]) keepAside(path + ending, { kept, name: name + ending });
    for (const ending of SIDE_FILES) rmSync(path + ending, { force: true });
    renameSync(join(ready, name), path);
  }
  rmSync(ready, { recursive: true });
}

/** Adds a second name to a file; its first name stays until it is replaced. */
function keepAside(path: string, { kept, name }: { kept: string; name: string }): void {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return;
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const target = join(kept, name);
  if (existsSync(target)) return;
  try {
    linkSync(path, target);
  } catch {
    // Some file systems have no second names.
    copyFileSync(path, target);
  }
}

export function inUse(place: string): AppError {
  return new AppError('store_unavailable', {
    detail: `${place} is in use by another process. Stop it, then try again.`,
  });
}
