import { CALL_THREAD, type Conversation } from '../../schema/conversation/conversation.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { TurnMessage } from '../../schema/conversation/history.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { Position } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import {
  type ConversationRow,
  type EventRow,
  isKeyExpired,
  type ListedRow,
  SELECT_TURN,
  type TurnRow,
  toConversation,
  toEvent,
  toListed,
  toStoredTurn,
} from '../rows.ts';
import type {
  AttachmentStart,
  AuditEntry,
  AuditRecord,
  ListedConversation,
  Page,
  ReadMessages,
  StoredResult,
  StoredTurn,
} from '../store.ts';
import { readFeedback } from './read-feedback.ts';
import type { Sql } from './sql.ts';

export function readTurn(sql: Sql, user: User, turnId: string): StoredTurn | undefined {
  const row = sql.one<TurnRow>(`${SELECT_TURN} WHERE t.id = ? AND t.user_id = ?`, turnId, user.id);
  return row && toStoredTurn(row);
}

const NEWEST_TURN = `${SELECT_TURN} WHERE c.id = ? AND c.user_id = ? ORDER BY t.number DESC LIMIT 1`;

export function readNewestTurn(sql: Sql, user: User, conversationId: string): StoredTurn | undefined {
  const row = sql.one<TurnRow>(NEWEST_TURN, conversationId, user.id);
  return row && toStoredTurn(row);
}

const NEXT_TURN = `${SELECT_TURN} JOIN turns before ON before.conversation = t.conversation AND before.number < t.number
  WHERE before.id = ? AND before.user_id = ? ORDER BY t.number LIMIT 1`;

export function readNextTurn(sql: Sql, user: User, turnId: string): StoredTurn | undefined {
  const row = sql.one<TurnRow>(NEXT_TURN, turnId, user.id);
  return row && toStoredTurn(row);
}

const TURN_OF_MESSAGE = `${SELECT_TURN} JOIN messages m ON m.conversation = c.number AND m.turn = t.number
  WHERE c.id = ? AND c.user_id = ? AND m.client_id = ? ORDER BY t.active DESC, t.number DESC LIMIT 1`;

export function readTurnByMessage(sql: Sql, user: User, conversationId: string, id: string): StoredTurn | undefined {
  const row = sql.one<TurnRow>(TURN_OF_MESSAGE, conversationId, user.id, id);
  return row && toStoredTurn(row);
}

const TURN_HOLDING = `${SELECT_TURN} JOIN messages m ON m.conversation = c.number AND m.turn = t.number
  WHERE c.id = ? AND c.user_id = ? AND m.id = ? LIMIT 1`;

export function readTurnOfMessage(sql: Sql, user: User, conversationId: string, id: string): StoredTurn | undefined {
  const row = sql.one<TurnRow>(TURN_HOLDING, conversationId, user.id, id);
  return row && toStoredTurn(row);
}

const TURNS = `${SELECT_TURN} WHERE c.id = ?1 AND c.user_id = ?2
  AND (?3 IS NULL OR t.number < (SELECT number FROM turns WHERE id = ?3 AND conversation = c.number))
  ORDER BY t.number DESC LIMIT ?4`;

export function listTurns(sql: Sql, user: User, conversationId: string, { limit, before }: Page): StoredTurn[] {
  return sql.all<TurnRow>(TURNS, conversationId, user.id, before ?? null, limit).map(toStoredTurn);
}

const RESULT = 'SELECT result FROM turns WHERE id = ? AND user_id = ? AND result IS NOT NULL';

export function readResult(sql: Sql, user: User, turnId: string): StoredResult | undefined {
  const row = sql.one<{ result: string }>(RESULT, turnId, user.id);
  return row && JSON.parse(row.result);
}

const TURN_OF_KEY = `${SELECT_TURN} WHERE t.user_id = ? AND t.agent = ? AND t.idempotency_key = ?`;

export function readTurnByKey(
  sql: Sql,
  user: User,
  find: { agent: string; key: string; now: string },
): StoredTurn | undefined {
  const row = sql.one<TurnRow>(TURN_OF_KEY, user.id, find.agent, find.key);
  return row && !isKeyExpired(row, find.now) ? toStoredTurn(row) : undefined;
}

const EVENTS = `SELECT e.attempt, e.seq, e.text_offset, e.body FROM events e JOIN turns t ON t.number = e.turn
  WHERE t.id = ? AND t.user_id = ? ORDER BY e.attempt, e.seq, e.text_offset`;

export function readEvents(sql: Sql, user: User, turnId: string): Event[] {
  return sql.all<EventRow>(EVENTS, turnId, user.id).map((row) => toEvent(turnId, row));
}

const EVENTS_AFTER = `SELECT e.attempt, e.seq, e.text_offset, e.body FROM events e JOIN turns t ON t.number = e.turn
  WHERE t.id = ? AND t.user_id = ? AND (e.attempt, e.seq, e.text_offset) > (?, ?, ?)
  ORDER BY e.attempt, e.seq, e.text_offset`;

export function readEventsAfter(sql: Sql, user: User, { turn, attempt, seq, offset }: Position): Event[] {
  return sql.all<EventRow>(EVENTS_AFTER, turn, user.id, attempt, seq, offset).map((row) => toEvent(turn, row));
}

const CONVERSATION = 'SELECT * FROM conversations WHERE id = ? AND user_id = ?';

export function readConversation(sql: Sql, user: User, id: string): Conversation | undefined {
  const row = sql.one<ConversationRow>(CONVERSATION, id, user.id);
  return row && toConversation(row);
}

const THREAD = 'SELECT * FROM conversations WHERE user_id = ? AND agent = ? AND thread_id = ?';

export function readThread(sql: Sql, user: User, agent: string, threadId: string): Conversation | undefined {
  const row = sql.one<ConversationRow>(THREAD, user.id, agent, threadId);
  return row && toConversation(row);
}

const NEWEST_THREAD = `SELECT * FROM conversations WHERE user_id = ? AND agent = ? AND substr(thread_id, 1, ?) = ?
  ORDER BY number DESC LIMIT 1`;

export function readNewestThread(sql: Sql, user: User, agent: string, prefix: string): Conversation | undefined {
  const row = sql.one<ConversationRow>(NEWEST_THREAD, user.id, agent, prefix.length, prefix);
  return row && toConversation(row);
}

const OWN_CONVERSATIONS = `SELECT *,
    (SELECT status FROM turns WHERE conversation = conversations.number ORDER BY number DESC LIMIT 1) AS status
  FROM conversations WHERE user_id = ?1 AND (?2 IS NULL OR agent = ?2) AND ifnull(thread_id, '') NOT GLOB '${CALL_THREAD}*'`;
const NEWEST_FIRST = 'ORDER BY last_activity DESC, number DESC LIMIT ?3';
const BEFORE = `AND (last_activity, number) <
  (SELECT last_activity, number FROM conversations WHERE id = ?4 AND user_id = ?1)`;

export function listConversations(sql: Sql, user: User, page: Page & { agent?: string }): ListedConversation[] {
  const { agent = null, limit, before } = page;
  const rows =
    before === undefined
      ? sql.all<ListedRow>(`${OWN_CONVERSATIONS} ${NEWEST_FIRST}`, user.id, agent, limit)
      : sql.all<ListedRow>(`${OWN_CONVERSATIONS} ${BEFORE} ${NEWEST_FIRST}`, user.id, agent, limit, before);
  return rows.map(toListed);
}

const ACTIVE = `SELECT count(*) AS count FROM conversations
  WHERE agent = ? AND last_activity >= ? AND ifnull(thread_id, '') NOT GLOB '${CALL_THREAD}*'`;

export function countActive(sql: Sql, agent: string, since: string): number {
  return sql.one<{ count: number }>(ACTIVE, agent, since)?.count ?? 0;
}

const MESSAGES = `SELECT m.body, m.is_text, m.turn AS number, t.id FROM messages m JOIN conversations c ON c.number = m.conversation
  JOIN turns t ON t.number = m.turn
  WHERE c.id = ? AND c.user_id = ? AND t.active = 1 AND t.id <> ? AND m.position >= coalesce((
    SELECT texts.position FROM messages texts JOIN turns path ON path.number = texts.turn
    WHERE texts.conversation = c.number AND texts.is_text = 1 AND path.active = 1
    ORDER BY texts.position DESC LIMIT 1 OFFSET ?), 0)
  ORDER BY m.position`;

export function readMessages(sql: Sql, user: User, conversationId: string, options: ReadMessages): Message[] {
  return findMessages(sql, user, conversationId, options).map((row): Message => JSON.parse(row.body));
}

interface MessageRow {
  body: string;
  is_text: number;
  /** Row number and id of the message's turn. */
  number: number;
  id: string;
}

function findMessages(sql: Sql, user: User, conversationId: string, options: ReadMessages): MessageRow[] {
  const { last = Number.MAX_SAFE_INTEGER, exceptTurn = '' } = options;
  if (last === 0) return [];
  return sql.all<MessageRow>(MESSAGES, conversationId, user.id, exceptTurn, last - 1);
}

const RESULTS = `SELECT t.number, json_remove(t.result, '$.tool_calls') AS result FROM turns t
  JOIN conversations c ON c.number = t.conversation
  WHERE c.id = ? AND c.user_id = ? AND t.active = 1 AND t.result IS NOT NULL AND t.number >= ?`;

export function readHistory(sql: Sql, user: User, conversationId: string, options: ReadMessages): TurnMessage[] {
  const feedback = readFeedback(sql, user, conversationId);
  const rows = findMessages(sql, user, conversationId, options);
  const [first] = rows;
  if (!first) return [];
  const results = new Map(
    sql
      .all<{ number: number; result: string }>(RESULTS, conversationId, user.id, first.number)
      .map(({ number, result }) => [number, result]),
  );
  const history = rows.toReversed().map((row): TurnMessage => {
    const message: Message = JSON.parse(row.body);
    const isAnswer = message.role === 'assistant' && row.is_text === 1;
    const result = isAnswer ? results.get(row.number) : undefined;
    if (result) results.delete(row.number);
    const judged = feedback.get(message.id);
    return {
      turnId: row.id,
      message,
      ...(result && { result: JSON.parse(result) }),
      ...(judged && { feedback: judged }),
    };
  });
  return history.reverse();
}

const ATTACHMENTS = `SELECT a.message_id, a.body, substr(a.text, 1, ?3) AS text FROM attachments a
  JOIN conversations c ON c.number = a.conversation JOIN turns t ON t.number = a.turn AND t.active = 1
  WHERE c.id = ?1 AND c.user_id = ?2 ORDER BY a.number`;

export function readAttachments(sql: Sql, user: User, conversationId: string, maxChars: number): AttachmentStart[] {
  const rows = sql.all<{ message_id: string; body: string; text: string }>(
    ATTACHMENTS,
    conversationId,
    user.id,
    maxChars,
  );
  return rows.map(({ message_id, body, text }) => ({
    message_id,
    // SQLite counts code points, which are never more than JavaScript's characters.
    text: text.slice(0, maxChars),
    ...(JSON.parse(body) as Omit<AttachmentStart, 'message_id' | 'text'>), // as encodeAttachment wrote it
  }));
}

const ATTACHMENT_TEXT = `SELECT a.text FROM attachments a JOIN conversations c ON c.number = a.conversation
  JOIN turns t ON t.number = a.turn AND t.active = 1 WHERE c.id = ? AND c.user_id = ? ORDER BY a.number LIMIT 1 OFFSET ?`;

export function readAttachmentText(sql: Sql, user: User, conversationId: string, index: number): string | undefined {
  return sql.one<{ text: string }>(ATTACHMENT_TEXT, conversationId, user.id, index)?.text;
}

const AUDIT = 'SELECT number, body FROM audit WHERE user_id = ? AND number < ? ORDER BY number DESC LIMIT ?';

export function readAudit(sql: Sql, user: User, { limit, before }: Page): AuditEntry[] {
  const end = before === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(before, 10) || 0;
  return sql.all<{ number: number; body: string }>(AUDIT, user.id, end, limit).map((row) => {
    const record: AuditRecord = JSON.parse(row.body);
    return { id: String(row.number), ...record };
  });
}
