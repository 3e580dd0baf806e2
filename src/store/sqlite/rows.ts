import type { Conversation } from '../../schema/conversation.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import type { StoredTurn } from '../store.ts';

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
  parent_id: string | null;
  replaces_id: string | null;
  active: number;
}

/** Begin of every SELECT of a TurnRow; the turn is `t`, its conversation `c`. Results are long: they are read apart. */
export const SELECT_TURN = `SELECT t.number, t.id, t.conversation, c.id AS conversation_id, t.agent, t.status, t.attempt,
    t.runner_id, t.idempotency_key, t.request_hash, t.created_at, t.active,
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
    metadata: JSON.parse(row.metadata),
  };
}

export interface EventRow {
  attempt: number;
  seq: number;
  text_offset: number;
  body: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** An Idempotency-Key counts for a day after its turn was made. */
export function isKeyExpired(turn: { created_at: string }, now: string): boolean {
  return Date.parse(now) - Date.parse(turn.created_at) > DAY_MS;
}
