import type { Feedback } from '../../schema/conversation/feedback.ts';
import type { User } from '../../schema/user.ts';
import type { Sql } from './link.ts';

const FEEDBACK = `SELECT f.message_id, f.body FROM feedback f JOIN conversations c ON c.number = f.conversation
  WHERE c.id = $1 AND c.user_id = $2`;

/** All feedback of a conversation, by the id of the answer. */
export async function readFeedback(sql: Sql, user: User, conversationId: string): Promise<Map<string, Feedback>> {
  const rows = await sql.all<{ message_id: string; body: string }>(FEEDBACK, conversationId, user.id);
  return new Map(rows.map((row): [string, Feedback] => [row.message_id, JSON.parse(row.body)]));
}
