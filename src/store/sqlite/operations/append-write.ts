import { parsePosition } from '../../../schema/position.ts';
import type { EncodedWrite } from '../../encode.ts';
import type { Sql } from '../sql.ts';

/** The turn that a write belongs to, by its row numbers. */
export interface WriteTarget {
  turnId: string;
  turn: number;
  attempt: number;
  conversation: number;
  userId: string;
}

/** Adds everything of one write to a turn and its conversation. */
export function appendWrite(sql: Sql, target: WriteTarget, write: EncodedWrite): void {
  for (const event of write.events) appendEvent(sql, target, event);
  appendMessages(sql, target, write.messages);
  appendAttachments(sql, target, write.attachments);
  for (const body of write.audit) sql.run('INSERT INTO audit (user_id, body) VALUES (?, ?)', target.userId, body);
  const endedAt = write.result === undefined ? null : (write.events.at(-1)?.at ?? null);
  if (write.status) sql.run(SET_STATUS, write.status, write.result ?? null, endedAt, target.turn);
  if (write.result !== undefined) sql.run('DELETE FROM requests WHERE turn = ?', target.turn);
  if (write.metadata) mergeMetadata(sql, target.conversation, write.metadata);
}

/** A result is written with the status that ends the turn. An ended turn is never continued, and loses its request. */
const SET_STATUS = `UPDATE turns SET status = ?1, result = ?2, ended_at = ?3,
  continues = iif(?2 IS NULL, continues, 0), request = iif(?2 IS NULL, request, NULL) WHERE number = ?4`;

const INSERT_ATTACHMENT = 'INSERT INTO attachments (conversation, turn, message_id, body, text) VALUES (?, ?, ?, ?, ?)';

export function appendAttachments(
  sql: Sql,
  { conversation, turn }: Pick<WriteTarget, 'conversation' | 'turn'>,
  attachments: EncodedWrite['attachments'],
): void {
  for (const { messageId, body, text } of attachments) {
    sql.run(INSERT_ATTACHMENT, conversation, turn, messageId, body, text);
  }
}

const INSERT_EVENT = 'INSERT INTO events (turn, attempt, seq, text_offset, type, body) VALUES (?, ?, ?, ?, ?, ?)';

function appendEvent(sql: Sql, target: WriteTarget, event: EncodedWrite['events'][number]): void {
  const { turn, attempt, seq, offset } = parsePosition(event.id);
  if (turn !== target.turnId || attempt !== target.attempt) throw new Error(`event ${event.id} is not of this attempt`);
  sql.run(INSERT_EVENT, target.turn, attempt, seq, offset, event.type, event.body);
}

const INSERT_MESSAGE = `INSERT INTO messages (conversation, position, id, turn, role, is_text, client_id, body)
  VALUES (?1, (SELECT ifnull(max(position), 0) + 1 FROM messages WHERE conversation = ?1), ?2, ?3, ?4, ?5, ?6, ?7)`;
const COUNT_MESSAGES = `UPDATE conversations
  SET message_count = message_count + ?, last_updated = max(last_updated, ?) WHERE number = ?`;

/** Adds messages at the end of a conversation. */
export function appendMessages(
  sql: Sql,
  { conversation, turn }: Pick<WriteTarget, 'conversation' | 'turn'>,
  messages: EncodedWrite['messages'],
): void {
  if (messages.length === 0) return;
  for (const { id, role, isText, clientId, body } of messages) {
    sql.run(INSERT_MESSAGE, conversation, id, turn, role, Number(isText), clientId, body);
  }
  const counted = messages.filter(({ isText }) => isText).length;
  sql.run(COUNT_MESSAGES, counted, messages.at(-1)?.timestamp ?? '', conversation);
}

function mergeMetadata(sql: Sql, conversation: number, metadata: NonNullable<EncodedWrite['metadata']>): void {
  const row = sql.one<{ metadata: string }>('SELECT metadata FROM conversations WHERE number = ?', conversation);
  const merged = JSON.stringify({ ...JSON.parse(row?.metadata ?? '{}'), ...metadata });
  sql.run('UPDATE conversations SET metadata = ? WHERE number = ?', merged, conversation);
}
