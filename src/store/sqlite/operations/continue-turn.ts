import type { EncodedWrite } from '../../encode.ts';
import type { TurnLease } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';
import { raiseVersion } from './raise-version.ts';

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
