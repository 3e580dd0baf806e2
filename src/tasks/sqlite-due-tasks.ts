import type { DatabaseSync } from 'node:sqlite';
import type { Uuid } from '../schema/ids.ts';
import type { DueTasks } from '../schema/task.ts';
import { DEFAULT_BUSY_TIMEOUT_MS, inTransaction } from '../store/sqlite/open.ts';
import { toTask } from './task-rows.ts';

interface DueSpan {
  after?: string | undefined;
  until: string;
}

/** A time of day makes a due date longer than a bare day. */
const OPEN_WITH_TIME = 'user_id = :owner AND deleted_at IS NULL AND is_completed = 0 AND length(due_date) > 10';
const INSTANT = "unixepoch(due_date, 'subsec')";

/** Reads what came due, and remembers what was reported. Nothing is written if nothing came due. */
export function createDueTasks(db: DatabaseSync): (owner: Uuid, span: DueSpan) => DueTasks {
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
