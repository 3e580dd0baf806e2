import type { Uuid } from '../schema/ids.ts';
import type { DueTasks } from '../schema/task.ts';
import type { Sql } from '../store/postgres/link.ts';
import { toTask } from './task-rows.ts';

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
export async function takeDueTasks(
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
