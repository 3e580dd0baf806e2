import { createHash, randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { AppError } from '../errors.ts';
import type { Uuid } from '../schema/ids.ts';
import type { Task } from '../schema/task.ts';
import { holdFiles } from '../store/sqlite/held-files.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction, openDatabase } from '../store/sqlite/open.ts';
import type { TaskCall, TaskChange, TaskQuery, TaskStore } from './task-store.ts';

const MIGRATIONS = [
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
];
/** How long a call id is remembered: far longer than any retry. */
const CALLS_KEPT_MS = 30 * 24 * 3_600_000;

export interface SqliteTaskStoreOptions {
  path: string;
  now?: () => Date;
}

interface TaskRow {
  id: string;
  user_id: string;
  title: string;
  description: string | null;
  due_date: string | null;
  is_completed: number;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
}

/** One change to be made once: what it is, and the statement that makes it (undefined when there is no such task). */
interface Change<T> extends TaskCall {
  owner: Uuid;
  request: readonly unknown[];
  make(at: string): T | undefined;
}

export function createSqliteTaskStore({ path, now = () => new Date() }: SqliteTaskStoreOptions): TaskStore {
  const db = openDatabase({ path, migrations: MIGRATIONS });
  db.prepare('DELETE FROM task_calls WHERE at < ?').run(new Date(now().getTime() - CALLS_KEPT_MS).toISOString());
  const statements = prepareStatements(db);
  const findLostFiles = holdFiles(path);

  function changeOnce<T>({ owner, callId, request, make }: Change<T>): T | undefined {
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
    const changed = inTransaction(db, DEFAULT_BUSY_TIMEOUT_MS, () => {
      const known = statements.readCall.get(owner, callId);
      if (known) return readAnswer<T>(known, hash);
      const at = now().toISOString();
      const answer = make(at);
      if (answer !== undefined) statements.writeCall.run(owner, callId, hash, JSON.stringify(answer), at);
      return answer;
    });
    const lost = findLostFiles();
    if (lost) throw lost;
    return changed;
  }

  return {
    async addTask(owner, task, { callId }) {
      const make = (at: string) =>
        toTask(
          statements.add.get(randomUUID(), owner, task.title, orNull(task.description), orNull(task.due_date), at, at),
        );
      const added = changeOnce({ owner, callId, request: ['add', task], make });
      if (!added) throw new AppError('store_unavailable', { detail: 'The task could not be saved. Please try again.' });
      return added;
    },
    async listTasks(owner, { filter, due, search }: TaskQuery) {
      const completed = filter === 'all' ? null : Number(filter === 'completed');
      const from = due?.from ?? null;
      const to = due?.to ?? null;
      const rows = statements.list.all({
        owner,
        completed,
        due: Number(due !== undefined),
        from,
        to,
        search: orNull(search),
      });
      return rows.flatMap((row) => toTask(row) ?? []);
    },
    async completeTask(owner, taskId, { callId }) {
      const make = (at: string) => toTask(statements.complete.get(at, at, owner, taskId));
      return changeOnce({ owner, callId, request: ['complete', taskId], make });
    },
    async updateTask(owner, taskId, change: TaskChange, { callId }) {
      const make = (at: string) => toTask(statements.update.get({ ...changeValues(change), at, owner, id: taskId }));
      return changeOnce({ owner, callId, request: ['update', taskId, change], make });
    },
    async deleteTask(owner, taskId, { callId }) {
      const make = () => (statements.remove.run(owner, taskId).changes > 0 ? true : undefined);
      return changeOnce({ owner, callId, request: ['delete', taskId], make }) ?? false;
    },
    async close() {
      db.close();
    },
  };
}

function prepareStatements(db: DatabaseSync) {
  return {
    readCall: db.prepare('SELECT request, answer FROM task_calls WHERE user_id = ? AND call_id = ?'),
    writeCall: db.prepare('INSERT INTO task_calls (user_id, call_id, request, answer, at) VALUES (?, ?, ?, ?, ?)'),
    add: db.prepare(
      `INSERT INTO tasks (id, user_id, title, description, due_date, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    ),
    list: db.prepare(
      `SELECT * FROM tasks
       WHERE user_id = :owner AND (:completed IS NULL OR is_completed = :completed)
         AND (:due = 0 OR (due_date IS NOT NULL
              AND (:from IS NULL OR substr(due_date, 1, 10) >= :from)
              AND (:to IS NULL OR substr(due_date, 1, 10) <= :to)))
         AND (:search IS NULL OR instr(lower(title), lower(:search)) > 0)
       ORDER BY seq DESC`,
    ),
    complete: db.prepare(
      `UPDATE tasks SET
         updated_at = CASE is_completed WHEN 1 THEN updated_at ELSE ? END,
         completed_at = coalesce(completed_at, ?), is_completed = 1
       WHERE user_id = ? AND id = ? RETURNING *`,
    ),
    update: db.prepare(
      `UPDATE tasks SET
         title = coalesce(:title, title),
         description = CASE WHEN :no_description THEN NULL ELSE coalesce(:description, description) END,
         due_date = CASE WHEN :no_due_date THEN NULL ELSE coalesce(:due_date, due_date) END,
         completed_at = CASE :is_completed WHEN 0 THEN NULL WHEN 1 THEN coalesce(completed_at, :at) ELSE completed_at END,
         is_completed = coalesce(:is_completed, is_completed),
         updated_at = :at
       WHERE user_id = :owner AND id = :id RETURNING *`,
    ),
    remove: db.prepare('DELETE FROM tasks WHERE user_id = ? AND id = ?'),
  };
}

function readAnswer<T>(known: Record<string, unknown>, hash: string): T {
  if (known.request !== hash) {
    throw new AppError('idempotency_mismatch', { detail: 'This call id already stands for another change.' });
  }
  // The answer was written by changeOnce for the same request, so it has the same type.
  return JSON.parse(String(known.answer)) as T;
}

function changeValues({
  title,
  description,
  due_date,
  is_completed,
  clear = [],
}: TaskChange): Record<string, SQLInputValue> {
  return {
    title: orNull(title),
    description: orNull(description),
    due_date: orNull(due_date),
    is_completed: is_completed === undefined ? null : Number(is_completed),
    no_description: Number(clear.includes('description')),
    no_due_date: Number(clear.includes('due_date')),
  };
}

function orNull(value: string | undefined): string | null {
  return value ?? null;
}

function toTask(row: Record<string, unknown> | undefined): Task | undefined {
  if (!row) return undefined;
  // The columns are those of MIGRATIONS.
  const { id, user_id, title, description, due_date, is_completed, created_at, updated_at, completed_at } =
    row as unknown as TaskRow;
  return {
    id,
    user_id,
    title,
    ...(description !== null && { description }),
    ...(due_date !== null && { due_date }),
    is_completed: is_completed === 1,
    created_at,
    updated_at,
    ...(completed_at !== null && { completed_at }),
  };
}
