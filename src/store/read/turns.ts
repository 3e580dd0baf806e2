import type { TurnMessage } from '../../schema/conversation/history.ts';
import type { User } from '../../schema/user.ts';
import { type EventRow, isKeyExpired, SELECT_TURN, type TurnRow, toEvent, toStoredTurn } from '../rows.ts';
import { type LeftTurn, MAX_ATTEMPTS } from '../shared.ts';
import type { Store, StoredTurn } from '../store.ts';
import type { Query, Value } from './query.ts';

type TurnReads = Pick<
  Store,
  | 'readTurn'
  | 'readNewestTurn'
  | 'readNextTurn'
  | 'readTurnByMessage'
  | 'readTurnOfMessage'
  | 'listTurns'
  | 'readResult'
  | 'readTurnByKey'
  | 'readEvents'
  | 'readEventsAfter'
  | 'readPath'
  | 'listToContinue'
>;

export interface TurnReadOptions {
  now(): Date;
  /** The condition that joins an event `e` to its turn `t`. */
  eventOfTurn: string;
}

const OF_MESSAGE = `${SELECT_TURN} JOIN messages m ON m.conversation = c.number AND m.turn = t.number
  WHERE c.id = $1 AND c.user_id = $2`;
const TURN = {
  byId: `${SELECT_TURN} WHERE t.id = $1 AND t.user_id = $2`,
  newest: `${SELECT_TURN} WHERE c.id = $1 AND c.user_id = $2 ORDER BY t.number DESC LIMIT 1`,
  next: `${SELECT_TURN} JOIN turns before ON before.conversation = t.conversation AND before.number < t.number
    WHERE before.id = $1 AND before.user_id = $2 ORDER BY t.number LIMIT 1`,
  byClientId: `${OF_MESSAGE} AND m.client_id = $3 ORDER BY t.active DESC, t.number DESC LIMIT 1`,
  byMessage: `${OF_MESSAGE} AND m.id = $3 LIMIT 1`,
  byKey: `${SELECT_TURN} WHERE t.user_id = $1 AND t.agent = $2 AND t.idempotency_key = $3`,
} as const;
const PAGE = `${SELECT_TURN} WHERE c.id = $1 AND c.user_id = $2 AND (CAST($3 AS text) IS NULL
    OR t.number < (SELECT number FROM turns WHERE id = $3 AND conversation = c.number))
  ORDER BY t.number DESC LIMIT $4`;
const RESULT = 'SELECT result FROM turns WHERE id = $1 AND user_id = $2 AND result IS NOT NULL';
const PATH = `WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE id = $1 AND user_id = $2
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path ON t.number = path.parent)
  SELECT m.body, t.id FROM messages m JOIN turns t ON t.number = m.turn
  WHERE m.conversation = (SELECT conversation FROM turns WHERE id = $1 AND user_id = $2)
    AND m.turn IN (SELECT number FROM path) ORDER BY m.position`;
const LEFT = `SELECT left_turns.*, t2.user_id, t2.request FROM (${SELECT_TURN}
    WHERE t.status = 'interrupted' AND t.continues = 1 AND t.attempt < $1 AND t.active = 1 AND c.head = t.number
    ORDER BY t.number LIMIT $2) left_turns
  JOIN turns t2 ON t2.number = left_turns.number ORDER BY left_turns.number`;

export function readTurnsFrom(query: Query, { now, eventOfTurn }: TurnReadOptions): TurnReads {
  const find = async (text: string, ...values: Value[]): Promise<StoredTurn | undefined> => {
    const row = await query.one<TurnRow>(text, ...values);
    return row && toStoredTurn(row);
  };
  const events = `SELECT e.attempt, e.seq, e.text_offset, e.body FROM events e JOIN turns t ON ${eventOfTurn}
    WHERE t.id = $1 AND t.user_id = $2`;
  const inOrder = 'ORDER BY e.attempt, e.seq, e.text_offset';
  const allEvents = `${events} ${inOrder}`;
  const eventsAfter = `${events} AND (e.attempt, e.seq, e.text_offset) > ($3, $4, $5) ${inOrder}`;

  return {
    readTurn: (user, turnId) => find(TURN.byId, turnId, user.id),
    readNewestTurn: (user, conversationId) => find(TURN.newest, conversationId, user.id),
    readNextTurn: (user, turnId) => find(TURN.next, turnId, user.id),
    readTurnByMessage: (user, conversationId, clientId) => find(TURN.byClientId, conversationId, user.id, clientId),
    readTurnOfMessage: (user, conversationId, messageId) => find(TURN.byMessage, conversationId, user.id, messageId),
    async listTurns(user, conversationId, { limit, before }) {
      return (await query.all<TurnRow>(PAGE, conversationId, user.id, before ?? null, limit)).map(toStoredTurn);
    },
    async readResult(user, turnId) {
      const row = await query.one<{ result: string }>(RESULT, turnId, user.id);
      return row && JSON.parse(row.result);
    },
    async readTurnByKey(user, agent, key) {
      const turn = await find(TURN.byKey, user.id, agent, key);
      return turn && !isKeyExpired(turn, now().toISOString()) ? turn : undefined;
    },
    async readEvents(user, turnId) {
      return (await query.all<EventRow>(allEvents, turnId, user.id)).map((row) => toEvent(turnId, row));
    },
    async readEventsAfter(user, { turn, attempt, seq, offset }) {
      const rows = await query.all<EventRow>(eventsAfter, turn, user.id, attempt, seq, offset);
      return rows.map((row) => toEvent(turn, row));
    },
    readPath: (user, turnId) => readPath(query, user, turnId),
    listToContinue: (limit) => listToContinue(query, limit),
  };
}

async function readPath(query: Query, user: User, turnId: string): Promise<Pick<TurnMessage, 'turnId' | 'message'>[]> {
  const rows = await query.all<{ body: string; id: string }>(PATH, turnId, user.id);
  return rows.map(({ body, id }) => ({ turnId: id, message: JSON.parse(body) }));
}

async function listToContinue(query: Query, limit: number): Promise<LeftTurn[]> {
  const rows = await query.all<TurnRow & { user_id: string; request: string | null }>(LEFT, MAX_ATTEMPTS, limit);
  return rows.map((row) => ({
    turn: toStoredTurn(row),
    userId: row.user_id,
    request: JSON.parse(row.request ?? '{}'),
  }));
}
