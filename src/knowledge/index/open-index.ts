import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../private-folder.ts';

/** Another number means that texts are read, cut or ranked differently: the index is built again. */
const FORMAT = 4;
const BUSY_TIMEOUT_MS = 10_000;

/**
 * `words` holds terms and no text: a contentless FTS5 table, whose rows are removed by giving the same terms again. So
 * its statistics are exact at any time, and do not depend on the order of builds.
 */
const SCHEMA = `
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  places TEXT NOT NULL,
  title TEXT NOT NULL,
  version TEXT NOT NULL,
  stamp TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  passages INTEGER NOT NULL,
  read_at TEXT NOT NULL
) STRICT;
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (id),
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  page INTEGER,
  breadcrumb TEXT NOT NULL,
  headings TEXT NOT NULL,
  text TEXT NOT NULL,
  terms TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX passages_by_hash ON passages (hash);
CREATE TABLE vectors (hash TEXT PRIMARY KEY, model TEXT NOT NULL, vector BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX passages_by_place ON passages (document, start);
CREATE VIRTUAL TABLE words USING fts5 (title, headings, body, content = '', tokenize = 'ascii');
CREATE VIRTUAL TABLE terms USING fts5vocab (words, row);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

export interface OpenedIndex {
  database: DatabaseSync;
  /** Why the file was made again; absent if it was usable, or if there never was one. */
  rebuilt?: string;
}

/** The lock of builds. Its file is made after the index, so without one beside it the index was deleted. */
export function lockPathOf(path: string): string {
  return `${path}.lock`;
}

/** Opens the index, or makes an empty one if there is none, it is damaged, or it was built with other settings. */
export function openIndex(path: string, { settings = '', isDamaged = false } = {}): OpenedIndex {
  const format = FORMAT + settings;
  const isGone = !existsSync(path) && existsSync(lockPathOf(path));
  makePrivateFile(path);
  try {
    if (isDamaged) return { database: remake(path, format), rebuilt: 'it was damaged' };
    const database = tryOpen(path, format);
    if (database) return { database, ...(isGone && { rebuilt: 'it was deleted' }) };
    return { database: remake(path, format), rebuilt: 'it was built with other settings or by another version' };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { database: remake(path, format), rebuilt: 'it was damaged' };
  }
}

/** Reads one state of the index, while another process may write. */
export function readAtOnce<T>(database: DatabaseSync, action: () => T): T {
  database.exec('BEGIN');
  try {
    return action();
  } finally {
    database.exec('COMMIT');
  }
}

/** True for errors that only a new index repairs. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return (
    code === SQLITE_CORRUPT ||
    code === SQLITE_NOTADB ||
    (code === SQLITE_ERROR && /no such (?:table|column)/.test(String(error)))
  );
}

const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Undefined if the file has another format. */
function tryOpen(path: string, wanted: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // A killed process loses nothing that it committed; after a power cut the index may be built again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000');
    database.exec('BEGIN IMMEDIATE');
    const isNew = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n === 0;
    if (isNew) database.exec(SCHEMA);
    if (isNew) database.prepare("INSERT INTO meta VALUES ('format', ?)").run(wanted);
    const format = database.prepare("SELECT value FROM meta WHERE key = 'format'").get()?.value;
    database.exec('COMMIT');
    if (format === wanted) return database;
    database.close();
    return undefined;
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

function remake(path: string, format: string): DatabaseSync {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  makePrivateFile(path);
  const database = tryOpen(path, format);
  if (!database) throw new Error('a new index has another format');
  return database;
}
