import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type Ids, systemIds } from '../../ids.ts';
import { CALL_THREAD } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import { encodeAttachment, encodeMessage, encodeWrite } from '../encode.ts';
import type { Query } from '../read/query.ts';
import { type Reads, readsFrom } from '../read/reads.ts';
import { type ListedRow, toListed } from '../rows.ts';
import { findPreview, foldWords } from '../search-text.ts';
import type { SharedStore } from '../shared.ts';
import type { FoundConversation, SearchPage, Store } from '../store.ts';
import type { Flush } from './log-file.ts';
import { MIGRATIONS } from './migrations.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction, openDatabase } from './open.ts';
import { recover } from './operations/interrupt-turn.ts';
import { hasRequests } from './operations/turn-requests.ts';
import { holdRunnerLock, type Runner, type RunnerLock } from './runner-lock.ts';
import { createSql, type Sql } from './sql.ts';
import { orClose, toStoreError } from './store-error.ts';
import { createWriter, type Writer } from './writer.ts';

export interface SqliteStoreOptions {
  /** The data folder; created if missing. Several processes may share it. */
  folder: string;
  now?: () => Date;
  ids?: Ids;
  busyTimeoutMs?: number;
  flush?: Flush;
}

const FILE = 'holodeck.db';

/** The embedded store. Opening it recovers the turns of dead processes. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const { folder, now = systemClock.date, ids = systemIds, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, flush } = options;
  const path = join(folder, FILE);
  const runner = { folder, runnerId: ids.ulid(), ids };
  const locked = lockAndRecover({ path, runner, busyTimeoutMs, at: now().toISOString() });
  const { reader, writer } = releaseOnError(locked, path, () => {
    const { database } = locked;
    const reader = openDatabase({ path, migrations: MIGRATIONS, readOnly: true, busyTimeoutMs });
    return orClose(reader, () => ({ reader, writer: createWriter({ database, path, runner, busyTimeoutMs, flush }) }));
  });
  const sql = createSql(reader);
  let closed: Promise<void> | undefined;

  async function reading<T>(action: () => T): Promise<T> {
    if (closed) throw new AppError('store_unavailable', { detail: 'The store is closed. Start HoloDeck again.' });
    try {
      const value = action();
      await writer.settled();
      return value;
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async function close(): Promise<void> {
    reader.close();
    // The last connection to close can move the log into the database.
    await writer.close();
    locked.lock.release();
  }

  return {
    ...writesTo(writer, now),
    ...readsFrom(queryOf({ sql, reading }), { now, eventOfTurn: 'e.turn = t.number' }),
    ...ownReads({ sql, reading, indexAll: (user) => indexAll(writer, user) }),
    ...sharedParts({ sql, reading, writer }),
    changeMark: () => reading(() => sql.one<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0),
    findProblem: writer.findProblem,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function writesTo(writer: Writer, now: () => Date) {
  return {
    beginTurn: (user, begin) =>
      writer.submit('beginTurn', {
        ...begin,
        userId: user.id,
        write: encodeWrite(begin.write),
        seed: (begin.seed ?? []).map(({ turnId, messages }) => ({ turnId, messages: messages.map(encodeMessage) })),
      }),
    continueTurn: (user, next) =>
      writer.submit('continueTurn', { ...next, userId: user.id, write: encodeWrite(next.write) }),
    writeTurn: (user, lease, write) =>
      writer.submit('writeTurn', () => ({ userId: user.id, lease, write: encodeWrite(write) })),
    interruptTurn: (user, lease) => writer.submit('interruptTurn', { userId: user.id, lease, at: now().toISOString() }),
    deleteConversation: (user, id) => writer.submit('deleteConversation', { userId: user.id, id }),
    touchConversation: (user, id, at) => writer.submit('touchConversation', { userId: user.id, id, at }),
    updateConversation: (user, id, changes) => writer.submit('updateConversation', { userId: user.id, id, changes }),
    addAudit: (user, records) =>
      writer.submit('addAudit', { userId: user.id, bodies: records.map((record) => JSON.stringify(record)) }),
    addConversation: (user, made) =>
      writer.submit('addConversation', {
        ...made,
        userId: user.id,
        turns: made.turns.map(({ messages, attachments, ...turn }) => ({
          ...turn,
          messages: messages.map(encodeMessage),
          attachments: attachments.map(encodeAttachment),
        })),
      }),
    setFeedback: (user, conversationId, { messageId, ...feedback }) =>
      writer.submit('setFeedback', { userId: user.id, conversationId, messageId, feedback }),
    acceptTools: (user, of, accepted) => writer.submit('acceptTools', { ...of, userId: user?.id ?? '', accepted }),
    writeSecret: (user, write) => writer.submit('writeSecret', { ...write, userId: user?.id ?? '' }),
    takeSecret: (user, name) => writer.submit('takeSecret', { userId: user?.id ?? '', name }),
    reserveCost: (user, reservation) => writer.submit('reserveCost', { ...reservation, userId: user.id }),
    settleCost: (user, difference) => writer.submit('settleCost', { ...difference, userId: user.id }),
    recover: () => writer.submit('recover', { at: now().toISOString() }),
  } satisfies Partial<Store>;
}

interface Reading {
  sql: Sql;
  reading<T>(action: () => T): Promise<T>;
  /** Brings the search index up to date. */
  indexAll(user: User): Promise<void>;
}

function queryOf({ sql, reading }: Pick<Reading, 'sql' | 'reading'>): Query {
  return {
    all: (text, ...values) => reading(() => sql.all(text, ...values)),
    one: (text, ...values) => reading(() => sql.one(text, ...values)),
  };
}

/** Messages in one transaction: others wait a few milliseconds at most. */
const INDEX_BATCH = 100;

/** Texts are indexed when somebody searches, so that a turn's commit never pays for it. */
async function indexAll(writer: Writer, user: User): Promise<void> {
  const input = { userId: user.id, limit: INDEX_BATCH };
  try {
    while ((await writer.submit('indexTexts', input)) === INDEX_BATCH);
  } catch {
    // A full disk must not hide the texts that are indexed already.
  }
}

function ownReads({ sql, reading, indexAll }: Reading) {
  return {
    searchConversations: async (user, page) => {
      await indexAll(user);
      return reading(() => searchConversations(sql, user, page));
    },
  } satisfies Partial<Store>;
}

/** Text is written this often: a process on the same folder reads it from there. */
const SEGMENT_MS = 250;

/** Processes on one folder share it through the file; the kernel's lock of a live process never expires. */
function sharedParts({
  sql,
  reading,
  writer,
}: Pick<Reading, 'sql' | 'reading'> & { writer: Writer }): Omit<SharedStore, 'bus' | keyof Reads> {
  return {
    isShared: false,
    segmentMs: SEGMENT_MS,
    requestTurn: (user, turnId, request) => writer.submit('requestTurn', { userId: user.id, turnId, request }),
    async takeRequests(turnIds) {
      return (await reading(() => hasRequests(sql))) ? writer.submit('takeRequests', { turnIds }) : [];
    },
    onLost: () => () => {},
    mayAct: () => true,
    describe: () => ({ kind: 'sqlite' }),
  };
}

interface LockOptions {
  path: string;
  runner: Runner;
  busyTimeoutMs: number;
  at: string;
}

interface LockedDatabase {
  lock: RunnerLock;
  /** The writing connection. */
  database: DatabaseSync;
}

/** Migrates, takes this process's lock and recovers, before anything else. */
function lockAndRecover({ path, runner, busyTimeoutMs, at }: LockOptions): LockedDatabase {
  const database = openDatabase({ path, migrations: MIGRATIONS, busyTimeoutMs });
  let lock: RunnerLock | undefined;
  try {
    return inTransaction(database, busyTimeoutMs, () => {
      lock = holdRunnerLock(runner.folder, runner.runnerId);
      recover(createSql(database), { at }, runner);
      return { lock, database };
    });
  } catch (error) {
    lock?.release();
    database.close();
    throw toStoreError(error, path);
  }
}

/** Releases everything opened so far if a later step fails. */
function releaseOnError<T>({ lock, database }: LockedDatabase, path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    database.close();
    lock.release();
    throw toStoreError(error, path);
  }
}

/** More words narrow a search no further and cost time. */
const MAX_WORDS = 16;

const FOUND = `SELECT c.*, (SELECT status FROM turns WHERE conversation = c.number ORDER BY number DESC LIMIT 1) AS status,
    max(s.rowid & 1048575) AS position
  FROM search s JOIN conversations c ON c.number = s.rowid >> 20
  LEFT JOIN messages m ON m.conversation = c.number AND m.position = s.rowid & 1048575
  LEFT JOIN turns t ON t.number = m.turn
  WHERE search MATCH ?1 AND c.user_id = ?2 AND (?3 IS NULL OR c.agent = ?3) AND (t.active = 1 OR s.rowid & 1048575 = 0)
    AND c.parent IS NULL AND ifnull(c.thread_id, '') NOT GLOB '${CALL_THREAD}*'
    AND (?4 IS NULL OR (c.last_activity, c.number) <
      (SELECT last_activity, number FROM conversations WHERE id = ?4 AND user_id = ?2))
  GROUP BY c.number ORDER BY c.last_activity DESC, c.number DESC LIMIT ?5`;
const TEXT = "SELECT body ->> '$.content' AS text FROM messages WHERE conversation = ? AND position = ?";

/** Conversations of the user with a text that holds all words of `q`, the last one as a beginning; newest first. */
function searchConversations(sql: Sql, user: User, { q, agent, before, limit }: SearchPage): FoundConversation[] {
  const words = foldWords(q).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  // Folded words are letters and digits only; quotes keep words such as AND and NEAR from being operators.
  const match = `${words.map((word) => `"${word}"`).join(' ')}*`;
  const rows = sql.all<ListedRow & { position: number }>(FOUND, match, user.id, agent ?? null, before ?? null, limit);
  return rows.map((row) => {
    const text = sql.one<{ text: string | null }>(TEXT, row.number, row.position)?.text;
    return { ...toListed(row), ...(text && { preview: findPreview(text, words) }) };
  });
}
