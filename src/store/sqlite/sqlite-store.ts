import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import type { Store } from '../store.ts';
import { encodeMessage, encodeWrite } from './encode.ts';
import type { Flush } from './log-file.ts';
import { MIGRATIONS } from './migrations.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction, openDatabase, orClose } from './open.ts';
import { readAcceptedTools } from './operations/accept-tools.ts';
import { recover } from './operations/recover.ts';
import * as read from './reader.ts';
import { holdRunnerLock, type RunnerLock } from './runner-lock.ts';
import { createSql, type Sql } from './sql.ts';
import { toStoreError } from './store-error.ts';
import { createWriter, type Writer } from './writer.ts';

export interface SqliteStoreOptions {
  /** The data folder; made when it is not there. Several processes may share it. */
  folder: string;
  now?: () => Date;
  busyTimeoutMs?: number;
  flush?: Flush;
}

const FILE = 'holodeck.db';

/** The embedded store. Opening it recovers the turns of processes that are gone. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const { folder, now = () => new Date(), busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, flush } = options;
  const path = join(folder, FILE);
  const runner = { folder, runnerId: newUlid() };
  const entered = enterFolder({ path, ...runner, busyTimeoutMs, at: now().toISOString() });
  const { reader, writer } = orLeave(entered, () => {
    const { database } = entered;
    const reader = openDatabase({ path, migrations: MIGRATIONS, readOnly: true, busyTimeoutMs });
    return orClose(reader, () => ({ reader, writer: createWriter({ database, path, runner, busyTimeoutMs, flush }) }));
  });
  const sql = createSql(reader);
  let closed: Promise<void> | undefined;

  async function reading<T>(action: () => T): Promise<T> {
    if (closed) throw new AppError('store_unavailable', { detail: 'The store is closed.' });
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
    // The last connection to close is the one that can fold the log back into the database.
    await writer.close();
    entered.lock.release();
  }

  return {
    ...writesTo(writer, now),
    ...readsFrom({ sql, reading, now }),
    findProblem: writer.findProblem,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

type Writes =
  | 'beginTurn'
  | 'continueTurn'
  | 'writeTurn'
  | 'interruptTurn'
  | 'deleteConversation'
  | 'touchConversation'
  | 'acceptTools'
  | 'recover';

function writesTo(writer: Writer, now: () => Date): Pick<Store, Writes> {
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
    acceptTools: (user, of, accepted) => writer.submit('acceptTools', { ...of, userId: user?.id ?? '', accepted }),
    recover: () => writer.submit('recover', { at: now().toISOString() }),
  };
}

interface Reading {
  sql: Sql;
  reading<T>(action: () => T): Promise<T>;
  now(): Date;
}

function readsFrom({ sql, reading, now }: Reading): Omit<Store, Writes | 'findProblem' | 'close'> {
  return {
    readTurn: async (user, turnId) => reading(() => read.readTurn(sql, user, turnId)),
    readNewestTurn: async (user, id) => reading(() => read.readNewestTurn(sql, user, id)),
    readNextTurn: async (user, turnId) => reading(() => read.readNextTurn(sql, user, turnId)),
    readTurnByMessage: async (user, id, clientId) => reading(() => read.readTurnByMessage(sql, user, id, clientId)),
    listTurns: async (user, id, page) => reading(() => read.listTurns(sql, user, id, page)),
    readResult: async (user, turnId) => reading(() => read.readResult(sql, user, turnId)),
    readTurnByKey: async (user, agent, key) =>
      reading(() => read.readTurnByKey(sql, user, { agent, key, now: now().toISOString() })),
    readEvents: async (user, turnId) => reading(() => read.readEvents(sql, user, turnId)),
    readEventsAfter: async (user, position) => reading(() => read.readEventsAfter(sql, user, position)),
    readConversation: async (user, id) => reading(() => read.readConversation(sql, user, id)),
    readThread: async (user, agent, threadId) => reading(() => read.readThread(sql, user, agent, threadId)),
    listConversations: async (user, page) => reading(() => read.listConversations(sql, user, page)),
    countActive: async (agent, since) => reading(() => read.countActive(sql, agent, since)),
    readMessages: async (user, id, options = {}) => reading(() => read.readMessages(sql, user, id, options)),
    readHistory: async (user, id, options = {}) => reading(() => read.readHistory(sql, user, id, options)),
    readAttachments: async (user, id, { maxChars }) => reading(() => read.readAttachments(sql, user, id, maxChars)),
    readAttachmentText: async (user, id, index) => reading(() => read.readAttachmentText(sql, user, id, index)),
    readAcceptedTools: async (user, of) => reading(() => readAcceptedTools(sql, { ...of, userId: user?.id ?? '' })),
    readAudit: async (user, page) => reading(() => read.readAudit(sql, user, page)),
  };
}

interface Entrance {
  path: string;
  folder: string;
  runnerId: string;
  busyTimeoutMs: number;
  at: string;
}

interface Entered {
  lock: RunnerLock;
  /** The connection that writes. */
  database: DatabaseSync;
}

/** Migrates, takes this process's lock and recovers, before anything else is done. */
function enterFolder({ path, folder, runnerId, busyTimeoutMs, at }: Entrance): Entered {
  const database = openDatabase({ path, migrations: MIGRATIONS, busyTimeoutMs });
  let lock: RunnerLock | undefined;
  try {
    return inTransaction(database, busyTimeoutMs, () => {
      lock = holdRunnerLock(folder, runnerId);
      recover(createSql(database), { at }, folder);
      return { lock, database };
    });
  } catch (error) {
    lock?.release();
    database.close();
    throw toStoreError(error);
  }
}

/** What cannot be opened behind the entrance leaves nothing open. */
function orLeave<T>({ lock, database }: Entered, open: () => T): T {
  try {
    return open();
  } catch (error) {
    database.close();
    lock.release();
    throw toStoreError(error);
  }
}
