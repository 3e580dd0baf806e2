import type { Conversation } from '../schema/conversation/conversation.ts';
import type { Event, EventBody } from '../schema/conversation/event.ts';
import type { TurnStatus } from '../schema/conversation/turn.ts';
import { formatPosition } from '../schema/position.ts';
import type { ListedConversation, StoredTurn } from './store.ts';

export interface TurnRow {
  number: number;
  id: string;
  conversation: number;
  conversation_id: string;
  agent: string;
  status: TurnStatus;
  attempt: number;
  runner_id: string;
  idempotency_key: string | null;
  request_hash: string | null;
  created_at: string;
  ended_at: string | null;
  parent_id: string | null;
  replaces_id: string | null;
  active: number;
}

/**
 * Start of every SELECT of a TurnRow; the turn is `t`, its conversation `c`. Results are long, so they are read
 * separately.
 */
export const SELECT_TURN = `SELECT t.number, t.id, t.conversation, c.id AS conversation_id, t.agent, t.status, t.attempt,
    t.runner_id, t.idempotency_key, t.request_hash, t.created_at, t.ended_at, t.active,
    (SELECT id FROM turns WHERE number = t.parent) AS parent_id,
    (SELECT id FROM turns WHERE number = t.replaces) AS replaces_id
  FROM turns t JOIN conversations c ON c.number = t.conversation`;

export function toStoredTurn(row: TurnRow): StoredTurn {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    agent: row.agent,
    status: row.status,
    attempt: row.attempt,
    created_at: row.created_at,
    ...(row.ended_at !== null && { ended_at: row.ended_at }),
    is_active: row.active === 1,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    ...(row.replaces_id !== null && { replaces: row.replaces_id }),
    ...(row.idempotency_key !== null && { idempotency_key: row.idempotency_key }),
    ...(row.request_hash !== null && { request_hash: row.request_hash }),
  };
}

export interface ConversationRow {
  number: number;
  id: string;
  agent: string;
  thread_id: string | null;
  created_at: string;
  last_updated: string;
  last_activity: string;
  message_count: number;
  metadata: string;
  /** The user's own. */
  title: string | null;
  pinned: number;
}

export type ListedRow = ConversationRow & { status: TurnStatus | null };

export function toListed(row: ListedRow): ListedConversation {
  return { ...toConversation(row), status: row.status };
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    ...(row.thread_id !== null && { thread_id: row.thread_id }),
    agent: row.agent,
    created_at: row.created_at,
    last_updated: row.last_updated,
    last_activity: row.last_activity,
    message_count: row.message_count,
    ...(row.title !== null && { title: row.title }),
    ...(row.pinned === 1 && { pinned: true as const }),
    metadata: JSON.parse(row.metadata),
  };
}

export interface EventRow {
  attempt: number;
  seq: number;
  text_offset: number;
  body: string;
}

export function toEvent(turn: string, { attempt, seq, text_offset: offset, body }: EventRow): Event {
  const event: EventBody & { at: string } = JSON.parse(body);
  return { id: formatPosition({ turn, attempt, seq, offset }), ...event };
}

/**
 * An Idempotency-Key is promised for a day. It is kept for three, because the clocks of two servers, or one clock before
 * and after a correction, may differ by a day: a key that is forgotten too early runs its turn twice.
 */
export const KEY_MS: number = 3 * 24 * 60 * 60 * 1000;

export function isKeyExpired(turn: { created_at: string }, now: string): boolean {
  return Date.parse(now) - Date.parse(turn.created_at) > KEY_MS;
}
