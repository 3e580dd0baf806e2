import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../clock.ts';
import { type Ids, systemIds } from '../ids.ts';
import { removeTraces } from '../store/sqlite/admin/remove-traces.ts';
import { holdFiles } from '../store/sqlite/held-files.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction, openDatabase } from '../store/sqlite/open.ts';
import { complete, remove, update } from './edit-task.ts';
import { createDueTasks } from './sqlite-due-tasks.ts';
import { createTaskChanges } from './sqlite-task-changes.ts';
import { TASK_MIGRATIONS } from './task-migrations.ts';
import { orNull, toTask } from './task-rows.ts';
import { KEPT_MS, type TaskStore } from './task-store.ts';

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
