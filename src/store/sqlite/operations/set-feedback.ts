import type { Feedback } from '../../../schema/conversation/feedback.ts';
import type { Sql } from '../sql.ts';

export interface GivenFeedback {
  userId: string;
  conversationId: string;
  messageId: string;
  feedback: Feedback;
}

const FIND_ANSWER = `SELECT m.conversation FROM messages m JOIN conversations c ON c.number = m.conversation
  WHERE c.id = ? AND c.user_id = ? AND m.id = ? AND m.role = 'assistant'`;
const REPLACE = 'INSERT OR REPLACE INTO feedback (conversation, message_id, body) VALUES (?, ?, ?)';
const REMOVE = 'DELETE FROM feedback WHERE conversation = ? AND message_id = ?';

/** Returns false if this user's conversation has no answer with this id. */
export function setFeedback(sql: Sql, { userId, conversationId, messageId, feedback }: GivenFeedback): boolean {
  const found = sql.one<{ conversation: number }>(FIND_ANSWER, conversationId, userId, messageId);
  if (!found) return false;
  const isEmpty = feedback.rating === null && !feedback.comment;
  if (isEmpty) sql.run(REMOVE, found.conversation, messageId);
  else sql.run(REPLACE, found.conversation, messageId, JSON.stringify(feedback));
  return true;
}
