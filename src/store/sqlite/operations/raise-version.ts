import type { Sql } from '../sql.ts';

const RAISE = `UPDATE conversations
  SET version = version + 1, last_activity = max(last_activity, ?) WHERE number = ?`;

/** Invalidates every earlier lease, because a new request has taken the conversation. */
export function raiseVersion(sql: Sql, conversation: number, at: string): void {
  sql.run(RAISE, at, conversation);
}
