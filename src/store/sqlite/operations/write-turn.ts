import type { Feedback } from '../../../schema/conversation/turn.ts';
import type { EncodedWrite } from '../../encode.ts';
import { takenOver } from '../../interruption.ts';
import type { TurnLease } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';
import { raiseVersion } from './begin-turn.ts';

export interface EncodedTurnWrite {
  userId: string;
  lease: TurnLease;
  write: EncodedWrite;
}

const FIND_LEASED = `SELECT t.number, t.conversation FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE t.id = ? AND t.user_id = ? AND t.attempt = ? AND t.status = 'running' AND t.runner_id = ?
    AND c.id = ? AND c.version = ?`;

/** Writes only while the lease is the newest and the turn runs, checked in the same transaction. */
export function writeTurn(sql: Sql, { userId, lease, write }: EncodedTurnWrite): void {
  const { turnId, attempt } = lease;
  const { number, conversation } = findLeased(sql, { userId, lease });
  appendWrite(sql, { turnId, turn: number, attempt, conversation, userId }, write);
}

export function findLeased(sql: Sql, { userId, lease }: Pick<EncodedTurnWrite, 'userId' | 'lease'>) {
  const { turnId, conversationId, attempt, runner, version } = lease;
  const turn = sql.one<{ number: number; conversation: number }>(
    FIND_LEASED,
    ...[turnId, userId, attempt, runner, conversationId, version],
  );
  if (!turn) throw takenOver();
  return turn;
}

export interface EncodedContinue {
  userId: string;
  turnId: string;
  attempt: number;
  write: EncodedWrite;
}

interface Continuable {
  number: number;
  conversation: number;
  conversation_id: string;
  version: number;
}

/** Only one turn may be open: an older interrupted turn is not taken while another turn of the conversation is open. */
const FIND_TURN = `SELECT t.number, t.conversation, c.id AS conversation_id, c.version
  FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE t.id = ? AND t.user_id = ? AND t.attempt = ? AND t.active = 1 AND t.status IN ('interrupted', 'waiting')
    AND NOT EXISTS (SELECT 1 FROM turns o
      WHERE o.conversation = t.conversation AND o.number <> t.number AND o.status IN ('running', 'waiting'))`;
const TAKE_TURN = `UPDATE turns SET attempt = ?, runner_id = ?, status = 'running' WHERE number = ?`;

/** Takes the next attempt at a turn for `runnerId`; undefined if it cannot be taken. */
export function continueTurn(sql: Sql, next: EncodedContinue, runnerId: string): TurnLease | undefined {
  const { userId, turnId, attempt, write } = next;
  const turn = sql.one<Continuable>(FIND_TURN, turnId, userId, attempt - 1);
  if (!turn) return undefined;
  raiseVersion(sql, turn.conversation, write.events.at(-1)?.at ?? '');
  sql.run(TAKE_TURN, attempt, runnerId, turn.number);
  appendWrite(sql, { turnId, turn: turn.number, attempt, conversation: turn.conversation, userId }, write);
  return { turnId, conversationId: turn.conversation_id, attempt, version: turn.version + 1, runner: runnerId };
}

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
