import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../clock.ts';
import { type Ids, systemIds } from '../ids.ts';
import type { Uuid } from '../schema/ids.ts';
import type { DueTasks } from '../schema/task.ts';
import { removeTraces } from '../store/sqlite/admin/remove-traces.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, holdFiles, inTransaction, openDatabase } from '../store/sqlite/open.ts';
import { createTaskChanges } from './sqlite-task-changes.ts';
import { complete, orNull, remove, toTask, update } from './task-rows.ts';
import { KEPT_MS, type TaskStore } from './task-store.ts';

/** SQL of each version of a SQLite task database; entries are only ever appended. */
export const TASK_MIGRATIONS = [
  `CREATE TABLE tasks (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     title TEXT NOT NULL,
     description TEXT,
     due_date TEXT,
     is_completed INTEGER NOT NULL DEFAULT 0,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     completed_at TEXT
   ) STRICT;
   CREATE INDEX tasks_by_user ON tasks (user_id, seq);
   CREATE TABLE task_calls (
     user_id TEXT NOT NULL,
     call_id TEXT NOT NULL,
     request TEXT NOT NULL,
     answer TEXT NOT NULL,
     at TEXT NOT NULL,
     PRIMARY KEY (user_id, call_id)
   ) STRICT, WITHOUT ROWID;`,
  // `before` is NULL for a new task; `undoes` names the batch that the change took back.
  `ALTER TABLE tasks ADD COLUMN deleted_at TEXT;
   CREATE TABLE task_history (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     user_id TEXT NOT NULL,
     batch TEXT NOT NULL,
     conversation TEXT NOT NULL,
     task_id TEXT NOT NULL,
     before TEXT,
     after TEXT NOT NULL,
     undoes TEXT,
     at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX task_history_by_batch ON task_history (user_id, batch, seq);
   CREATE INDEX task_history_by_conversation ON task_history (user_id, conversation, seq);
   CREATE INDEX task_history_by_task ON task_history (task_id);
   CREATE INDEX task_history_by_age ON task_history (at);
   CREATE INDEX tasks_by_deletion ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;`,
  // Everything due until `seen_until` was reported to the user.
  `CREATE TABLE task_reminders (user_id TEXT PRIMARY KEY, seen_until TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
];

interface DueSpan {
  after?: string | undefined;
  until: string;
}

/** A time of day makes a due date longer than a bare day. */
const OPEN_WITH_TIME = 'user_id = :owner AND deleted_at IS NULL AND is_completed = 0 AND length(due_date) > 10';
const INSTANT = "unixepoch(due_date, 'subsec')";

/** Reads what came due, and remembers what was reported. Nothing is written if nothing came due. */
function createDueTasks(db: DatabaseSync): (owner: Uuid, span: DueSpan) => DueTasks {
  const readSeen = db.prepare('SELECT seen_until FROM task_reminders WHERE user_id = ?');
  const writeSeen = db.prepare(
    `INSERT INTO task_reminders (user_id, seen_until) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET seen_until = max(seen_until, excluded.seen_until)`,
  );
  const due = db.prepare(
    `SELECT * FROM tasks WHERE ${OPEN_WITH_TIME} AND ${INSTANT} <= unixepoch(:until, 'subsec')
       AND (:after IS NULL OR ${INSTANT} > unixepoch(:after, 'subsec'))
     ORDER BY ${INSTANT}, seq`,
  );
  const next = db.prepare(
    `SELECT min(${INSTANT}) AS seconds FROM tasks
     WHERE ${OPEN_WITH_TIME} AND ${INSTANT} > unixepoch(:until, 'subsec')`,
  );
  return (owner, { after, until }) => {
    const since = after ?? readSeen.get(owner)?.seen_until ?? null;
    const tasks = due.all({ owner, after: since, until }).map(toTask);
    if (tasks.length > 0) inTransaction(db, DEFAULT_BUSY_TIMEOUT_MS, () => void writeSeen.run(owner, until));
    const seconds = next.get({ owner, until })?.seconds;
    const upcoming = typeof seconds === 'number' && { next: new Date(Math.round(seconds * 1_000)).toISOString() };
    return { tasks, until, ...upcoming };
  };
}

/** How often an open store purges old rows. */
const PURGE_EVERY_MS = 24 * 3_600_000;

export interface SqliteTaskStoreOptions {
  path: string;
  now?: () => Date;
  ids?: Ids;
}

export function createSqliteTaskStore({
  path,
  now = systemClock.date,
  ids = systemIds,
}: SqliteTaskStoreOptions): TaskStore {
  const db = openDatabase({ path, migrations: TASK_MIGRATIONS });
  const purgeDaily = createDailyPurge(db, now);
  const changes = createTaskChanges(db, { now, before: purgeDaily, findLostFiles: holdFiles(path) });
  const list = prepareList(db);
  const takeDue = createDueTasks(db);
  inTransaction(db, DEFAULT_BUSY_TIMEOUT_MS, purgeDaily);

  return {
    addTask: async (owner, task, call) =>
      changes.add({ owner, call, request: ['add', task] }, { id: ids.uuid(), ...task }),
    async listTasks(owner, { filter, due, search }) {
      const completed = filter === 'all' ? null : Number(filter === 'completed');
      const days = { due: Number(due !== undefined), from: orNull(due?.from), to: orNull(due?.to) };
      return list.all({ owner, completed, ...days, search: orNull(search) }).map(toTask);
    },
    completeTask: async (owner, taskId, call) =>
      changes.edit({ owner, call, request: ['complete', taskId] }, taskId, complete),
    updateTask: async (owner, taskId, change, call) =>
      changes.edit({ owner, call, request: ['update', taskId, change] }, taskId, update(change)),
    deleteTask: async (owner, taskId, call) =>
      changes.edit({ owner, call, request: ['delete', taskId] }, taskId, remove) !== undefined,
    undo: async (owner, { batch }, call) => changes.undo({ owner, call, request: ['undo', batch ?? null] }, batch),
    takeDue: async (owner, span) => takeDue(owner, span),
    async eraseUser(owner) {
      inTransaction(db, DEFAULT_BUSY_TIMEOUT_MS, () => {
        for (const table of ['tasks', 'task_history', 'task_calls', 'task_reminders']) {
          db.prepare(`DELETE FROM ${table} WHERE user_id = ?`).run(owner);
        }
      });
      removeTraces(db);
    },
    async close() {
      db.close();
    },
  };
}

function prepareList(db: DatabaseSync) {
  return db.prepare(
    `SELECT * FROM tasks
     WHERE user_id = :owner AND deleted_at IS NULL AND (:completed IS NULL OR is_completed = :completed)
       AND (:due = 0 OR (due_date IS NOT NULL
            AND (:from IS NULL OR substr(due_date, 1, 10) >= :from)
            AND (:to IS NULL OR substr(due_date, 1, 10) <= :to)))
       AND (:search IS NULL OR instr(lower(title), lower(:search)) > 0)
     ORDER BY due_date IS NULL, substr(due_date, 1, 10), length(due_date) > 10, julianday(due_date), seq DESC`,
  );
}

/** Removes call ids, history and deleted tasks after KEPT_MS. A deleted task stays while an undo could restore it. */
function createDailyPurge(db: DatabaseSync, now: () => Date): () => void {
  const purges = [
    db.prepare('DELETE FROM task_calls WHERE at < ?'),
    db.prepare('DELETE FROM task_history WHERE at < ?'),
    db.prepare(
      `DELETE FROM tasks WHERE deleted_at < ?
         AND NOT EXISTS (SELECT 1 FROM task_history WHERE task_history.task_id = tasks.id)`,
    ),
  ];
  let nextMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = now().getTime();
    if (nowMs < nextMs) return;
    nextMs = nowMs + PURGE_EVERY_MS;
    const oldest = new Date(nowMs - KEPT_MS).toISOString();
    for (const purge of purges) purge.run(oldest);
  };
}
