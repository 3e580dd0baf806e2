import type { Sql } from '../sql.ts';

export interface OwnConversation {
  userId: string;
  id: string;
}

/** Deletes a conversation with its turns, events and messages; false if there was none. */
export function deleteConversation(sql: Sql, { userId, id }: OwnConversation): boolean {
  return sql.run('DELETE FROM conversations WHERE id = ? AND user_id = ?', id, userId) > 0;
}

const TOUCH = 'UPDATE conversations SET last_activity = max(last_activity, ?) WHERE id = ? AND user_id = ?';

export function touchConversation(sql: Sql, { userId, id, at }: OwnConversation & { at: string }): void {
  sql.run(TOUCH, at, id, userId);
}
