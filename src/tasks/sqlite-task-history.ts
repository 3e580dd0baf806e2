import type { DatabaseSync } from 'node:sqlite';
import type { Uuid } from '../schema/ids.ts';
import type { HistoryEntry } from './plan-undo.ts';
import type { StoredTask, TaskCall } from './task-store.ts';

export interface HistoryRecord extends HistoryEntry {
  owner: Uuid;
  call: TaskCall;
  /** The batch that this change takes back. */
  undoes?: string;
  at: string;
}

/** The table `task_history`. Every method runs inside the transaction of its caller. */
export interface TaskHistory {
  record(change: HistoryRecord): void;
  /** The batch that an undo without a name means. */
  findLastBatch(owner: Uuid, call: TaskCall): string | undefined;
  /** The changes of a batch, oldest first. */
  readBatch(owner: Uuid, batch: string): HistoryEntry[];
}

export function createTaskHistory(db: DatabaseSync): TaskHistory {
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
