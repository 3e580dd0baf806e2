import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { makePrivateFile } from '../../private-folder.ts';
import { CALL_THREAD } from '../../schema/conversation/conversation.ts';
import { cutoff, type Restored, type StoreAdmin } from '../admin.ts';
import { makeNew } from '../sqlite/admin/admin.ts';
import { createLink } from './link.ts';
import { MIGRATIONS } from './migrations.ts';
import { makePartitions, migrate, readVersion } from './open.ts';
import { describeAddress, toStoreError } from './store-error.ts';

const STALL_MS = 60_000;
const BATCH = 500;
const FILE = 'holodeck.dump';

export function openPostgresAdmin(url: string): StoreAdmin {
  const link = createLink({ url, connections: 1, stallMs: STALL_MS, name: 'holodeck-admin' });
  const place = describeAddress(url);
  const orFail = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const failed = toStoreError(error, url);
      throw failed.author === undefined ? failed : new AppError(failed.code, { detail: failed.author, cause: error });
    }
  };
  const count = async (sql: string, ...values: string[]) =>
    (
      await link.one<{ value: number }>(
        `WITH removed AS (${sql} RETURNING 1) SELECT count(*)::integer AS value FROM removed`,
        ...values,
      )
    )?.value ?? 0;
  return {
    status: () =>
      orFail(async () => {
        const version = await readVersion(link);
        const counts = version === 0 ? undefined : await link.one<Counts>(COUNTS);
        const none = { conversations: 0, turns: 0, runners: 0 };
        return { kind: 'PostgreSQL', place, version, newest: MIGRATIONS.length, ...(counts ?? none) };
      }),
    migrate: () => orFail(() => migrate(link, url)),
    eraseUser: (userId, newId) =>
      orFail(async () => {
        const erased = await count('DELETE FROM conversations WHERE user_id = $1 AND parent IS NULL', userId);
        await link.all('DELETE FROM accepted_tools WHERE user_id = $1', userId);
        await link.all('DELETE FROM secrets WHERE user_id = $1', userId);
        await link.all('DELETE FROM spending WHERE user_id = $1', userId);
        for (;;) {
          const rows = await link.all<{ number: number; body: string }>(AUDIT_OF, userId, BATCH);
          for (const { number, body } of rows) {
            const emptied = JSON.stringify({ ...JSON.parse(body), user_id: newId, arguments: {} });
            await link.all('UPDATE audit SET user_id = $2, body = $3 WHERE number = $1', number, newId, emptied);
          }
          if (rows.length < BATCH) return erased;
        }
      }),
    removeOld: (agent, kept, now) =>
      orFail(async () => {
        await makePartitions(link);
        let removed = 0;
        for (const [key, sql] of Object.entries(REMOVE)) {
          const before = cutoff(kept[key as keyof typeof kept], now); // the keys of REMOVE are those of KeptDays
          if (before === undefined) continue;
          for (let changes = BATCH; changes > 0; removed += changes) changes = await count(sql, agent, before);
        }
        return removed;
      }),
    backup: async (folder) => dump(url, folder),
    restore: (folder) =>
      orFail(async () => {
        const file = join(folder, FILE);
        if (!existsSync(file)) throw usage(`${folder} holds no copy: ${FILE} is missing.`);
        if ((await readVersion(link)) > 0)
          throw usage(`The database at ${place} holds data. Restore into an empty one.`);
        bringBack(url, file);
        return (await link.one<Required<Omit<Restored, 'kept'>>>(RESTORED)) ?? {};
      }),
    close: () => link.close(),
  };
}

interface Counts {
  conversations: number;
  turns: number;
  runners: number;
}

const COUNTS = `SELECT (SELECT count(*) FROM conversations)::integer AS conversations,
  (SELECT count(*) FROM turns)::integer AS turns,
  (SELECT count(*) FROM runners WHERE expires_at > now())::integer AS runners`;
const RESTORED = `SELECT (SELECT count(*) FROM conversations)::integer AS conversations,
  (SELECT count(*) FROM turns)::integer AS turns, (SELECT count(*) FROM messages)::integer AS messages,
  (SELECT count(*) FROM tasks)::integer AS tasks`;
const AUDIT_OF = 'SELECT number, body FROM audit WHERE user_id = $1 ORDER BY number LIMIT $2';
const oldConversations = (which: string) => `DELETE FROM conversations WHERE number IN (SELECT c.number
  FROM conversations c WHERE c.agent = $1 AND c.last_activity < $2 AND ${which}
    AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.conversation = c.number AND t.status = 'running') LIMIT ${BATCH})`;
/** The turns of an agent and of its members, which follow the rules of their team. */
const OF_AGENT = "split_part(t.agent, '/', 1) = $1";
const REMOVE = {
  events: `DELETE FROM events WHERE (turn, month) IN (SELECT t.number, t.month FROM turns t
    WHERE ${OF_AGENT} AND t.ended_at < $2
      AND EXISTS (SELECT 1 FROM events e WHERE e.turn = t.number AND e.month = t.month) LIMIT ${BATCH})`,
  conversations: oldConversations('true'),
  calls: oldConversations(`c.thread_id LIKE '${CALL_THREAD}%'`),
  attachments: `DELETE FROM attachments WHERE number IN (SELECT a.number FROM attachments a
    JOIN turns t ON t.number = a.turn WHERE ${OF_AGENT} AND t.ended_at < $2 LIMIT ${BATCH})`,
  audit: `DELETE FROM audit WHERE $1::text IS NOT NULL AND number IN (SELECT number FROM audit
    WHERE substring(body FROM '"at":"([^"]*)"') < $2 LIMIT ${BATCH})`,
} as const;

function dump(url: string, folder: string): void {
  makeNew(folder);
  makePrivateFile(join(folder, FILE));
  try {
    run('pg_dump', url, ['--format=custom', `--file=${join(folder, FILE)}`]);
  } catch (error) {
    // The folder is new; left behind it would refuse the next try.
    rmSync(folder, { recursive: true });
    throw error;
  }
}

function bringBack(url: string, file: string): void {
  const args = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${nameOf(url)}`, file];
  run('pg_restore', url, args);
}

/** Runs a program of PostgreSQL. The password goes by its environment: arguments can be seen by other users. */
function run(program: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(program, args, {
    env: { ...process.env, ...toEnvironment(url) },
    encoding: 'utf8',
  });
  if (error) throw usage(`${program} was not found. Install the client programs of PostgreSQL, then try again.`);
  if (status !== 0)
    throw new AppError('store_unavailable', { detail: `${program} failed: ${stderr.trim().split('\n').at(-1)}` });
}

/** libpq's variables for a URL; several hosts keep their commas. */
function toEnvironment(url: string): Record<string, string> {
  const match = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)\/([^?]*)/i.exec(url);
  const [, user = '', password = '', hosts = ''] = match ?? [];
  const parts = hosts.split(',').map((host) => host.split(':'));
  return {
    PGDATABASE: nameOf(url),
    PGHOST: parts.map(([host]) => host ?? '').join(),
    PGPORT: parts.map(([, port]) => port ?? '5432').join(),
    ...(user && { PGUSER: decodeURIComponent(user) }),
    ...(password && { PGPASSWORD: decodeURIComponent(password) }),
  };
}

function nameOf(url: string): string {
  return decodeURIComponent(/^[^/]*\/\/[^/]*\/([^?]*)/.exec(url)?.[1] ?? '');
}

function usage(detail: string): AppError {
  return new AppError('usage', { detail });
}
