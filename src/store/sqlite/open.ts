import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../errors.ts';
import { makePrivateFile } from '../../private-folder.ts';
import { finishRestore } from './replace-files.ts';
import { retryBusy } from './retry-busy.ts';
import { orClose, toStoreError } from './store-error.ts';

export const DEFAULT_BUSY_TIMEOUT_MS = 5_000;

/**
 * Settings of every writing connection: a commit is on the disk when it returns, and a long log is truncated
 * afterwards.
 */
export const DURABLE = 'PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864';

export interface OpenDatabase {
  path: string;
  /** SQL of each version, oldest first; entries are only ever appended. */
  migrations: readonly string[];
  /** For an existing file; nothing is written or migrated. `untouched` also creates no side files. */
  readOnly?: boolean | 'untouched';
  busyTimeoutMs?: number;
}

/**
 * Opens a database file (created with its folder if new) and migrates it to the newest version. A file of a newer
 * version is refused with `store_too_new` before a byte is written.
 */
export function openDatabase(options: OpenDatabase): DatabaseSync {
  try {
    return options.readOnly ? openToRead(options) : openToWrite(options);
  } catch (error) {
    throw toStoreError(error, options.path);
  }
}

function openToRead(options: OpenDatabase): DatabaseSync {
  const { path, migrations, readOnly, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = options;
  // Without a log, no process has the file open, and SQLite may read it without locks and side files.
  const isClosed = readOnly === 'untouched' && !existsSync(`${path}-wal`);
  const place = isClosed ? new URL('?immutable=1', pathToFileURL(path)) : path;
  const database = new DatabaseSync(place, { readOnly: true, timeout: busyTimeoutMs });
  return orClose(database, () => {
    refuseNewer(database, path, migrations);
    return database;
  });
}

/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';

function prepareFile(options: OpenDatabase): void {
  if (existsSync(options.path)) openToRead(options).close();
  else makePrivateFile(options.path);
}

function openToWrite(options: OpenDatabase): DatabaseSync {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = options;
  if (path === IN_MEMORY) return openAndMigrate(options);
  finishRestore(dirname(path), busyTimeoutMs);
  prepareFile(options);
  const file = identify(path);
  // A restore may replace the file while this connection waits for its lock.
  const isReplaced = () => identify(path) !== file;
  try {
    const database = openAndMigrate(options);
    if (!isReplaced()) return database;
    database.close();
  } catch (error) {
    if (!isReplaced()) throw error;
  }
  return openToWrite(options);
}

/** A new file has nothing to roll back, and a journal beside it would be flushed four times. */
const WITHOUT_JOURNAL = 'PRAGMA journal_mode = MEMORY; ';

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

function openAndMigrate(options: OpenDatabase): DatabaseSync {
  const { path, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = options;
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  return orClose(database, () => {
    retryBusy(busyTimeoutMs, () => database.exec(`${isEmpty(path) ? WITHOUT_JOURNAL : ''}PRAGMA journal_mode = WAL`));
    // The first commit that counts flushes a migration too: both are in the log.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    if (readVersion(database) !== options.migrations.length) {
      inTransaction(database, busyTimeoutMs, () => migrate(database, options));
    }
    database.exec(DURABLE);
    return database;
  });
}

/** Runs `action` in one transaction that holds the write lock from its start. */
export function inTransaction<T>(database: DatabaseSync, busyTimeoutMs: number, action: () => T): T {
  retryBusy(busyTimeoutMs, () => database.exec('BEGIN IMMEDIATE'));
  try {
    const result = action();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function migrate(database: DatabaseSync, { path, migrations }: OpenDatabase): void {
  refuseNewer(database, path, migrations);
  const version = readVersion(database);
  database.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  for (const migration of migrations.slice(version)) database.exec(migration);
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('version', ?)").run(String(migrations.length));
}

function refuseNewer(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  if (readVersion(database) <= migrations.length) return;
  throw new AppError('store_too_new', {
    detail: `${path} was written by a newer HoloDeck. Update HoloDeck, or use another data folder with --data.`,
  });
}

function readVersion(database: DatabaseSync): number {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get();
  if (!table) return 0;
  return Number(database.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.value ?? 0);
}

/**
 * Remembers the files of an open database, and returns a check that their paths still lead to them. An open file that was
 * removed or replaced still takes writes, but nothing can read them after the process ends.
 */
export function holdFiles(path: string): () => AppError | undefined {
  const paths = [path, `${path}-wal`, `${path}-shm`];
  const held = paths.map(identify);
  return () => (paths.every((each, index) => identify(each) === held[index]) ? undefined : lostFiles());
}

function lostFiles(): AppError {
  const detail =
    'The database file was removed or replaced while it was in use. Put it back or restore a backup, then start again.';
  return new AppError('store_unavailable', { detail });
}

/** Identifies the file at a path by device and inode; the inode of an open file is never reused. */
function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return 'out of reach';
  }
}
