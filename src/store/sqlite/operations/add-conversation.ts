import type { EncodedWrite } from '../../encode.ts';
import type { NewConversation } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendAttachments, appendMessages } from './append-write.ts';
import { insertTurn } from './begin-turn.ts';

export type EncodedConversation = Omit<NewConversation, 'turns'> & {
  userId: string;
  turns: (Pick<EncodedWrite, 'messages' | 'attachments'> & { turnId: string; createdAt: string })[];
};

const INSERT = `INSERT INTO conversations
  (id, user_id, agent, created_at, last_updated, last_activity, message_count, metadata, version)
  VALUES (?, ?, ?, ?4, ?4, ?4, 0, ?, 1) RETURNING number`;

export function addConversation(sql: Sql, made: EncodedConversation): void {
  const { userId, agent, conversationId, metadata, now } = made;
  const row = sql.one<{ number: number }>(INSERT, conversationId, userId, agent, now, JSON.stringify(metadata));
  if (!row) throw new Error('the conversation was not inserted');
  let head: number | null = null;
  for (const { turnId, createdAt, messages, attachments } of made.turns) {
    const place = { number: row.number, version: 1, head };
    const by = { place, runnerId: '', status: 'completed', attempt: 0 };
    const turn = insertTurn(sql, { turnId, userId, agent, now: createdAt }, by);
    appendMessages(sql, { conversation: row.number, turn }, messages);
    appendAttachments(sql, { conversation: row.number, turn }, attachments);
    head = turn;
  }
}
