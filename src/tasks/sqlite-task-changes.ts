import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import type { Uuid } from '../schema/ids.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction } from '../store/sqlite/open.ts';
import { describeUndo, type HistoryEntry, planUndo } from './plan-undo.ts';
import { type Edit, toRow, toTask } from './task-rows.ts';
import type { StoredTask, TaskCall, UndoAnswer } from './task-store.ts';

/** A change to be made once: its caller, and its description, by which a repeated call is recognised. */
interface Once {
  owner: Uuid;
  call: TaskCall;
  request: readonly unknown[];
}

export interface TaskChanges {
  add(once: Once, task: Pick<StoredTask, 'id' | 'title' | 'description' | 'due_date'>): StoredTask;
  /** Undefined if no such task is on the list. */
  edit(once: Once, taskId: Uuid, edit: Edit): StoredTask | undefined;
  undo(once: Once, batch: string | undefined): UndoAnswer;
}

interface ChangesOptions {
  now(): Date;
  /** Runs first in every transaction. */
  before(): void;
  /** Returns an error if the written file cannot be read again. */
  findLostFiles(): AppError | undefined;
}

/** Writes each change together with its history and its call id. A repeated call gets the first answer. */
export function createTaskChanges(
  db: DatabaseSync,
  { now, before: prepare, findLostFiles }: ChangesOptions,
): TaskChanges {
  const statements = prepareStatements(db);
  const history = createTaskHistory(db);

  function changeOnce<T>({ owner, call, request }: Once, make: (at: string) => T | undefined): T | undefined {
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
    const changed = inTransaction(db, DEFAULT_BUSY_TIMEOUT_MS, () => {
      prepare();
      const known = statements.readCall.get(owner, call.callId);
      if (known) return readAnswer<T>(known, hash);
      const at = now().toISOString();
      const answer = make(at);
      if (answer !== undefined) statements.writeCall.run(owner, call.callId, hash, JSON.stringify(answer), at);
      return answer;
    });
    const lost = findLostFiles();
    if (lost) throw lost;
    return changed;
  }

  const read = (owner: Uuid, taskId: Uuid): StoredTask | undefined => {
    const row = statements.read.get(owner, taskId);
    return row && toTask(row);
  };

  /** Writes a task with its history, and returns it as stored. */
  function save(change: HistoryRecord): StoredTask {
    const row = statements.save.get(toRow(change.after));
    if (!row) throw notSaved();
    const after = toTask(row);
    history.record({ ...change, after });
    return after;
  }

  function restore({ owner, call }: Once, named: string | undefined, at: string): UndoAnswer {
    const batch = named ?? history.findLastBatch(owner, call);
    const entries = batch === undefined ? [] : history.readBatch(owner, batch);
    if (batch === undefined || entries.length === 0) return undefined;
    const plan = planUndo({ entries, read: (taskId) => read(owner, taskId), at });
    if ('changedSince' in plan) return plan;
    for (const { from: before, to: after } of plan) save({ owner, call, before, after, undoes: batch, at });
    return describeUndo(batch, plan);
  }

  return {
    add(once, task) {
      const { owner, call } = once;
      const added = changeOnce(once, (at) => {
        const after = { ...task, user_id: owner, is_completed: false, created_at: at, updated_at: at };
        return save({ owner, call, after, at });
      });
      if (!added) throw notSaved();
      return added;
    },
    edit: (once, taskId, edit) =>
      changeOnce(once, (at) => {
        const { owner, call } = once;
        const before = read(owner, taskId);
        if (!before || before.deleted_at !== undefined) return undefined;
        const after = edit(before, at);
        return after === before ? before : save({ owner, call, before, after, at });
      }),
    undo: (once, batch) => changeOnce<NonNullable<UndoAnswer>>(once, (at) => restore(once, batch, at)),
  };
}

function prepareStatements(db: DatabaseSync) {
  return {
    readCall: db.prepare('SELECT request, answer FROM task_calls WHERE user_id = ? AND call_id = ?'),
    writeCall: db.prepare('INSERT INTO task_calls (user_id, call_id, request, answer, at) VALUES (?, ?, ?, ?, ?)'),
    read: db.prepare('SELECT * FROM tasks WHERE user_id = ? AND id = ?'),
    save: db.prepare(
      `INSERT INTO tasks
         (id, user_id, title, description, due_date, is_completed, created_at, updated_at, completed_at, deleted_at)
       VALUES (:id, :owner, :title, :description, :due_date, :is_completed, :created_at, :updated_at, :completed_at,
         :deleted_at)
       ON CONFLICT (id) DO UPDATE SET
         title = excluded.title, description = excluded.description, due_date = excluded.due_date,
         is_completed = excluded.is_completed, created_at = excluded.created_at, updated_at = excluded.updated_at,
         completed_at = excluded.completed_at, deleted_at = excluded.deleted_at
       WHERE user_id = excluded.user_id
       RETURNING *`,
    ),
  };
}

function readAnswer<T>(known: Record<string, unknown>, hash: string): T {
  if (known.request !== hash) {
    throw new AppError('idempotency_mismatch', { detail: 'This call id was already used for another change.' });
  }
  // The answer was written by changeOnce for the same request, so it has the same type.
  return JSON.parse(String(known.answer)) as T;
}

function notSaved(): AppError {
  return new AppError('store_unavailable', { detail: 'The task could not be saved. Please try again.' });
}

interface HistoryRecord extends HistoryEntry {
  owner: Uuid;
  call: TaskCall;
  /** The batch that this change takes back. */
  undoes?: string;
  at: string;
}

/** The table `task_history`. Every method runs inside the transaction of its caller. */
interface TaskHistory {
  record(change: HistoryRecord): void;
  /** The batch that an undo without a name means. */
  findLastBatch(owner: Uuid, call: TaskCall): string | undefined;
  /** The changes of a batch, oldest first. */
  readBatch(owner: Uuid, batch: string): HistoryEntry[];
}

function createTaskHistory(db: DatabaseSync): TaskHistory {
  const insert = db.prepare(
    `INSERT INTO task_history (user_id, batch, conversation, task_id, before, after, undoes, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const firstUndone = db.prepare(
    `SELECT min(undone.seq) AS seq
     FROM task_history AS own JOIN task_history AS undone ON undone.user_id = own.user_id AND undone.batch = own.undoes
     WHERE own.user_id = ? AND own.batch = ?`,
  );
  const last = db.prepare(
    `SELECT batch FROM task_history WHERE user_id = :owner AND (:before IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT 1`,
  );
  const lastOfConversation = db.prepare(
    `SELECT batch FROM task_history
     WHERE user_id = :owner AND conversation = :conversation AND (:before IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT 1`,
  );
  const batchRows = db.prepare('SELECT before, after FROM task_history WHERE user_id = ? AND batch = ? ORDER BY seq');
  return {
    record({ owner, call, before, after, undoes, at }) {
      const { conversationId = '' } = call;
      const texts = [before === undefined ? null : JSON.stringify(before), JSON.stringify(after)];
      insert.run(owner, batchOf(call), conversationId, after.id, ...texts, undoes ?? null, at);
    },
    findLastBatch(owner, call) {
      // After an undo in the same turn, the next one goes back one more step.
      const before = firstUndone.get(owner, batchOf(call))?.seq ?? null;
      const conversation = call.conversationId;
      const row = conversation ? lastOfConversation.get({ owner, conversation, before }) : last.get({ owner, before });
      return row && String(row.batch);
    },
    readBatch: (owner, batch) => batchRows.all(owner, batch).map(toEntry),
  };
}

function batchOf({ turnId, callId }: TaskCall): string {
  return turnId ?? callId;
}

function toEntry({ before, after }: Record<string, unknown>): HistoryEntry {
  // `record` wrote both as JSON of a StoredTask.
  const parse = (text: unknown) => JSON.parse(String(text)) as StoredTask;
  return { ...(before !== null && { before: parse(before) }), after: parse(after) };
}
