import type { Feedback } from '../../schema/conversation/feedback.ts';
import type { User } from '../../schema/user.ts';
import type { Sql } from './sql.ts';

const FEEDBACK = `SELECT f.message_id, f.body FROM feedback f JOIN conversations c ON c.number = f.conversation
  WHERE c.id = ? AND c.user_id = ?`;

/** All feedback of a conversation, by the id of the answer. */
export function readFeedback(sql: Sql, user: User, conversationId: string): Map<string, Feedback> {
  const rows = sql.all<{ message_id: string; body: string }>(FEEDBACK, conversationId, user.id);
  return new Map(rows.map((row): [string, Feedback] => [row.message_id, JSON.parse(row.body)]));
}
