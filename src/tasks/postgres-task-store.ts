import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type Ids, systemIds } from '../ids.ts';
import type { Uuid } from '../schema/ids.ts';
import type { DueTasks } from '../schema/task.ts';
import { createLink, type Link, type Sql } from '../store/postgres/link.ts';
import { migrate } from '../store/postgres/open.ts';
import { isAway, toStoreError } from '../store/postgres/store-error.ts';
import { describeUndo, type HistoryEntry, planUndo } from './plan-undo.ts';
import { complete, type Edit, orNull, remove, toRow, toTask, update } from './task-rows.ts';
import { KEPT_MS, type StoredTask, type TaskCall, type TaskStore, type UndoAnswer } from './task-store.ts';

export interface PostgresTaskStoreOptions {
  url: string;
  now?: () => Date;
  ids?: Ids;
}

const CONNECTIONS = 3;
const STALL_MS = 5_000;
/** How often an open store purges old rows. */
const PURGE_EVERY_MS = 24 * 3_600_000;
/** A change is repeated with its call id when its answer was lost. */
const TRIES = 4;
const PAUSE_MS = 300;

/** A change to be made once: its caller, and its description, by which a repeated call is recognised. */
interface Once {
  owner: Uuid;
  call: TaskCall;
  request: readonly unknown[];
}

type Deps = Required<PostgresTaskStoreOptions> & { link: Link; purge(sql: Sql): Promise<void> };

/** The tasks of all users in the shared database, so that every server sees the same list. */
export async function createPostgresTaskStore(options: PostgresTaskStoreOptions): Promise<TaskStore> {
  const { url, now = systemClock.date, ids = systemIds } = options;
  const link = createLink({ url, connections: CONNECTIONS, stallMs: STALL_MS, name: 'holodeck-tasks' });
  const deps: Deps = { url, now, ids, link, purge: createDailyPurge(now) };
  try {
    await migrate(link, url);
    await deps.purge(link);
  } catch (error) {
    await link.close();
    throw toStoreError(error, url);
  }
  const change = <T>(once: Once, make: (sql: Sql, at: string) => Promise<T | undefined>) =>
    changeOnce(deps, once, make);
  const edit = (once: Once, taskId: Uuid, by: Edit) =>
    change(once, (sql, at) => editTask(sql, once, { taskId, by, at }));
  return {
    async addTask(owner, task, call) {
      const once = { owner, call, request: ['add', task] };
      const id = ids.uuid();
      const added = await change(once, (sql, at) => {
        const fresh = { user_id: owner, is_completed: false, created_at: at, updated_at: at };
        return save(sql, once, { after: { id, ...task, ...fresh }, at });
      });
      if (!added) throw notSaved();
      return added;
    },
    listTasks: async (owner, { filter, due, search }) => {
      const completed = filter === 'all' ? null : Number(filter === 'completed');
      const days = [Number(due !== undefined), orNull(due?.from), orNull(due?.to)] as const;
      const rows = await reading(
        deps,
        link.all<Record<string, unknown>>(LIST, owner, completed, ...days, orNull(search)),
      );
      return rows.map(toTask);
    },
    completeTask: (owner, taskId, call) => edit({ owner, call, request: ['complete', taskId] }, taskId, complete),
    updateTask: (owner, taskId, given, call) =>
      edit({ owner, call, request: ['update', taskId, given] }, taskId, update(given)),
    deleteTask: async (owner, taskId, call) =>
      (await edit({ owner, call, request: ['delete', taskId] }, taskId, remove)) !== undefined,
    undo(owner, { batch }, call) {
      const once = { owner, call, request: ['undo', batch ?? null] };
      return change<NonNullable<UndoAnswer>>(once, (sql, at) => restore(sql, once, { named: batch, at }));
    },
    takeDue: (owner, span) => reading(deps, takeDueTasks(link, owner, span)),
    eraseUser: (owner) => reading(deps, eraseUserTasks(link, owner)),
    close: () => link.close(),
  };
}

const LIST = `SELECT * FROM tasks
  WHERE user_id = $1 AND deleted_at IS NULL AND ($2::integer IS NULL OR is_completed = $2)
    AND ($3::integer = 0 OR (due_date IS NOT NULL
      AND ($4::text IS NULL OR left(due_date, 10) >= $4) AND ($5::text IS NULL OR left(due_date, 10) <= $5)))
    AND ($6::text IS NULL OR position(lower($6) IN lower(title)) > 0)
  ORDER BY due_date IS NULL, left(due_date, 10), length(due_date) > 10,
    CASE WHEN length(due_date) > 10 THEN due_date::timestamptz END, seq DESC`;

async function reading<T>({ url }: Deps, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toStoreError(error, url);
  });
}

/** Removes everything of a user: tasks, history and call ids. */
async function eraseUserTasks(link: Link, owner: Uuid): Promise<void> {
  await link.transaction(async (sql) => {
    for (const table of ['tasks', 'task_history', 'task_calls', 'task_reminders']) {
      await sql.all(`DELETE FROM ${table} WHERE user_id = $1`, owner);
    }
  });
}

/** Removes call ids, history and deleted tasks after KEPT_MS. A deleted task stays while an undo could restore it. */
function createDailyPurge(now: () => Date): (sql: Sql) => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (sql) => {
    const nowMs = now().getTime();
    if (nowMs < nextMs) return;
    nextMs = nowMs + PURGE_EVERY_MS;
    const oldest = new Date(nowMs - KEPT_MS).toISOString();
    for (const purge of PURGES) await sql.all(purge, oldest);
  };
}

const PURGES = [
  'DELETE FROM task_calls WHERE at < $1',
  'DELETE FROM task_history WHERE at < $1',
  `DELETE FROM tasks WHERE deleted_at < $1
     AND NOT EXISTS (SELECT 1 FROM task_history WHERE task_history.task_id = tasks.id)`,
];

/** Changes of one user follow one another, on whatever server. */
const LOCK_USER = 'SELECT pg_advisory_xact_lock(7020342, hashtext($1))';
const READ_CALL = 'SELECT request, answer FROM task_calls WHERE user_id = $1 AND call_id = $2';
const WRITE_CALL = 'INSERT INTO task_calls (user_id, call_id, request, answer, at) VALUES ($1, $2, $3, $4, $5)';

/** Makes a change with its history and its call id in one transaction. A repeated call gets the first answer. */
async function changeOnce<T>(
  { link, url, now, purge }: Deps,
  { owner, call, request }: Once,
  make: (sql: Sql, at: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const attempt = () =>
    link.transaction(async (sql) => {
      await purge(sql);
      await sql.all(LOCK_USER, owner);
      const known = await sql.one<{ request: string; answer: string }>(READ_CALL, owner, call.callId);
      if (known) return readAnswer<T>(known, hash);
      const at = now().toISOString();
      const answer = await make(sql, at);
      if (answer !== undefined) await sql.all(WRITE_CALL, owner, call.callId, hash, JSON.stringify(answer), at);
      return answer;
    });
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || tries === TRIES) throw toStoreError(error, url);
      await delay(PAUSE_MS * tries);
    }
  }
}

function readAnswer<T>(known: { request: string; answer: string }, hash: string): T {
  if (known.request !== hash) {
    throw new AppError('idempotency_mismatch', { detail: 'This call id was already used for another change.' });
  }
  // The answer was written by changeOnce for the same request, so it has the same type.
  return JSON.parse(known.answer) as T;
}

const READ = 'SELECT * FROM tasks WHERE user_id = $1 AND id = $2';

async function read(sql: Sql, owner: Uuid, taskId: Uuid): Promise<StoredTask | undefined> {
  const row = await sql.one<Record<string, unknown>>(READ, owner, taskId);
  return row && toTask(row);
}

const SAVE = `INSERT INTO tasks
    (id, user_id, title, description, due_date, is_completed, created_at, updated_at, completed_at, deleted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET
    title = excluded.title, description = excluded.description, due_date = excluded.due_date,
    is_completed = excluded.is_completed, created_at = excluded.created_at, updated_at = excluded.updated_at,
    completed_at = excluded.completed_at, deleted_at = excluded.deleted_at
    WHERE tasks.user_id = excluded.user_id
  RETURNING *`;
const RECORD = `INSERT INTO task_history (user_id, batch, conversation, task_id, before, after, undoes, at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes a task with its history, and returns it as stored. */
async function save(
  sql: Sql,
  { owner, call }: Once,
  { before, after, undoes, at }: HistoryEntry & { undoes?: string; at: string },
): Promise<StoredTask> {
  const row = await sql.one<Record<string, unknown>>(
    SAVE,
    ...(Object.values(toRow(after)) as (string | number | null)[]),
  );
  if (!row) throw notSaved();
  const stored = toTask(row);
  const texts = [before === undefined ? null : JSON.stringify(before), JSON.stringify(stored)];
  await sql.all(RECORD, owner, batchOf(call), call.conversationId ?? '', stored.id, ...texts, undoes ?? null, at);
  return stored;
}

async function editTask(
  sql: Sql,
  once: Once,
  { taskId, by, at }: { taskId: Uuid; by: Edit; at: string },
): Promise<StoredTask | undefined> {
  const before = await read(sql, once.owner, taskId);
  if (!before || before.deleted_at !== undefined) return undefined;
  const after = by(before, at);
  return after === before ? before : save(sql, once, { before, after, at });
}

const FIRST_UNDONE = `SELECT min(undone.seq) AS seq
  FROM task_history AS own JOIN task_history AS undone ON undone.user_id = own.user_id AND undone.batch = own.undoes
  WHERE own.user_id = $1 AND own.batch = $2`;
const LAST_BATCH = `SELECT batch FROM task_history
  WHERE user_id = $1 AND ($2::text IS NULL OR conversation = $2) AND ($3::bigint IS NULL OR seq < $3)
  ORDER BY seq DESC LIMIT 1`;
const BATCH = 'SELECT before, after FROM task_history WHERE user_id = $1 AND batch = $2 ORDER BY seq';

async function restore(
  sql: Sql,
  once: Once,
  { named, at }: { named: string | undefined; at: string },
): Promise<UndoAnswer> {
  const { owner } = once;
  const batch = named ?? (await findLastBatch(sql, once));
  if (batch === undefined) return undefined;
  const rows = await sql.all<{ before: string | null; after: string }>(BATCH, owner, batch);
  if (rows.length === 0) return undefined;
  const entries = rows.map(
    ({ before, after }): HistoryEntry => ({
      ...(before !== null && { before: JSON.parse(before) }),
      after: JSON.parse(after),
    }),
  );
  const tasks = new Map<string, StoredTask | undefined>();
  for (const { after } of entries) tasks.set(after.id, await read(sql, owner, after.id));
  const plan = planUndo({ entries, read: (taskId) => tasks.get(taskId), at });
  if ('changedSince' in plan) return plan;
  for (const { from: before, to: after } of plan) await save(sql, once, { before, after, undoes: batch, at });
  return describeUndo(batch, plan);
}

/** The batch that an undo without a name means. After an undo in the same turn, the next one goes back one more step. */
async function findLastBatch(sql: Sql, { owner, call }: Once): Promise<string | undefined> {
  const undone = await sql.one<{ seq: number | null }>(FIRST_UNDONE, owner, batchOf(call));
  const row = await sql.one<{ batch: string }>(LAST_BATCH, owner, call.conversationId || null, undone?.seq ?? null);
  return row?.batch;
}

function batchOf({ turnId, callId }: TaskCall): string {
  return turnId ?? callId;
}

function notSaved(): AppError {
  return new AppError('store_unavailable', { detail: 'The task could not be saved. Please try again.' });
}

/** A time of day makes a due date longer than a bare day. The cast runs only on rows that passed the length. */
const OPEN_WITH_TIME = 'user_id = $1 AND deleted_at IS NULL AND is_completed = 0 AND length(due_date) > 10';
const INSTANT = 'CASE WHEN length(due_date) > 10 THEN due_date::timestamptz END';

const SEEN = 'SELECT seen_until FROM task_reminders WHERE user_id = $1';
const WRITE_SEEN = `INSERT INTO task_reminders (user_id, seen_until) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET seen_until = greatest(task_reminders.seen_until, excluded.seen_until)`;
const DUE = `SELECT * FROM tasks WHERE ${OPEN_WITH_TIME} AND ${INSTANT} <= $2::timestamptz
    AND ($3::timestamptz IS NULL OR ${INSTANT} > $3::timestamptz)
  ORDER BY ${INSTANT}, seq`;
const NEXT = `SELECT (extract(epoch FROM min(${INSTANT})) * 1000)::float8 AS ms FROM tasks
  WHERE ${OPEN_WITH_TIME} AND ${INSTANT} > $2::timestamptz`;

/** Reads what came due, and remembers what was reported. Nothing is written if nothing came due. */
async function takeDueTasks(
  sql: Sql,
  owner: Uuid,
  { after, until }: { after?: string | undefined; until: string },
): Promise<DueTasks> {
  const since = after ?? (await sql.one<{ seen_until: string }>(SEEN, owner))?.seen_until ?? null;
  const tasks = (await sql.all<Record<string, unknown>>(DUE, owner, until, since)).map(toTask);
  if (tasks.length > 0) await sql.all(WRITE_SEEN, owner, until);
  const ms = (await sql.one<{ ms: number | null }>(NEXT, owner, until))?.ms;
  return { tasks, until, ...(typeof ms === 'number' && { next: new Date(Math.round(ms)).toISOString() }) };
}
