import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../errors.ts';
import { makePrivateFile } from '../../../private-folder.ts';
import { CALL_THREAD } from '../../../schema/conversation/conversation.ts';
import { cutoff, type StoreAdmin } from '../../admin.ts';
import { MIGRATIONS } from '../migrations.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction, openDatabase } from '../open.ts';
import { FILES } from '../replace-files.ts';
import { countLiveRunners } from '../runner-lock.ts';
import { removeTraces } from './remove-traces.ts';
import { restoreFolder } from './restore.ts';

/** Rows in one transaction, so that no turn waits long. */
const BATCH = 500;

export function openSqliteAdmin(folder: string): StoreAdmin {
  const path = join(folder, 'holodeck.db');
  const open = <T>(action: (database: DatabaseSync) => T): T => {
    const database = openDatabase({ path, migrations: MIGRATIONS });
    try {
      return action(database);
    } finally {
      database.close();
    }
  };
  const write = <T>(action: (database: DatabaseSync) => T): T =>
    open((database) => inTransaction(database, DEFAULT_BUSY_TIMEOUT_MS, () => action(database)));
  const version = () => (existsSync(path) ? readOnly(path, (database) => readNumber(database, VERSION)) : 0);
  return {
    async status() {
      const facts = { kind: 'SQLite' as const, place: path, version: version(), newest: MIGRATIONS.length };
      const count = (table: string) =>
        facts.version === 0
          ? 0
          : readOnly(path, (database) => readNumber(database, `SELECT count(*) AS value FROM ${table}`));
      const runners = countLiveRunners(folder);
      return { ...facts, conversations: count('conversations'), turns: count('turns'), runners };
    },
    async migrate() {
      const from = version();
      openDatabase({ path, migrations: MIGRATIONS }).close();
      return { from, to: MIGRATIONS.length };
    },
    async eraseUser(userId, newId) {
      const erased = write((database) => {
        const { changes } = database
          .prepare('DELETE FROM conversations WHERE user_id = ? AND parent IS NULL')
          .run(userId);
        database.prepare('DELETE FROM accepted_tools WHERE user_id = ?').run(userId);
        database.prepare('DELETE FROM secrets WHERE user_id = ?').run(userId);
        database.prepare('DELETE FROM spending WHERE user_id = ?').run(userId);
        database.prepare(FORGET_IN_AUDIT).run(newId, newId, userId);
        // The index only marks deleted entries; their words go when its parts are merged into one.
        database.exec("INSERT INTO search (search) VALUES ('optimize')");
        return Number(changes);
      });
      open(removeTraces);
      return erased;
    },
    async removeOld(agent, kept, now) {
      let removed = 0;
      for (const [key, sql] of Object.entries(REMOVE)) {
        const before = cutoff(kept[key as keyof typeof kept], now); // the keys of REMOVE are those of KeptDays
        if (before === undefined) continue;
        for (let changes = BATCH; changes > 0; removed += changes) {
          changes = write((database) => Number(database.prepare(sql).run({ agent, before }).changes));
        }
      }
      return removed;
    },
    async backup(target) {
      const files = FILES.filter((name) => existsSync(join(folder, name)));
      if (files.length === 0) throw usage(`${folder} holds no database, so there is nothing to copy.`);
      makeNew(target);
      for (const file of files) {
        const database = new DatabaseSync(join(folder, file), { readOnly: true });
        makePrivateFile(join(target, file));
        await backup(database, join(target, file)).finally(() => database.close());
      }
    },
    restore: async (source) => restoreFolder(source, folder),
    close: async () => {},
  };
}

const VERSION = "SELECT value FROM meta WHERE key = 'version'";
const FORGET_IN_AUDIT = `UPDATE audit SET user_id = ?,
  body = json_set(body, '$.user_id', ?, '$.arguments', json('{}')) WHERE user_id = ?`;
const oldConversations = (
  which: string,
) => `DELETE FROM conversations WHERE number IN (SELECT c.number FROM conversations c
    WHERE c.agent = :agent AND c.last_activity < :before AND ${which}
      AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.conversation = c.number AND t.status = 'running') LIMIT ${BATCH})`;
/** The turns of an agent and of its members, which follow the rules of their team. */
const OF_AGENT = "(t.agent = :agent OR t.agent GLOB :agent || '/*')";
const REMOVE = {
  events: `DELETE FROM events WHERE turn IN (SELECT t.number FROM turns t WHERE ${OF_AGENT} AND t.ended_at < :before
    AND EXISTS (SELECT 1 FROM events e WHERE e.turn = t.number) LIMIT ${BATCH})`,
  conversations: oldConversations('true'),
  calls: oldConversations(`c.thread_id GLOB '${CALL_THREAD}*'`),
  attachments: `DELETE FROM attachments WHERE number IN (SELECT a.number FROM attachments a
    JOIN turns t ON t.number = a.turn WHERE ${OF_AGENT} AND t.ended_at < :before LIMIT ${BATCH})`,
  audit: `DELETE FROM audit WHERE :agent IS NOT NULL
    AND number IN (SELECT number FROM audit WHERE body ->> '$.at' < :before LIMIT ${BATCH})`,
} as const;

function readOnly<T>(path: string, action: (database: DatabaseSync) => T): T {
  const database = openDatabase({ path, migrations: MIGRATIONS, readOnly: 'untouched' });
  try {
    return action(database);
  } finally {
    database.close();
  }
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.value ?? 0);
}

/** A copy never overwrites anything. */
export function makeNew(folder: string): void {
  if (existsSync(folder)) throw usage(`${folder} exists. Name a folder that does not exist yet.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function usage(detail: string): AppError {
  return new AppError('usage', { detail });
}
