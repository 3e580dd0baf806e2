import { AppError } from '../../../errors.ts';
import type { EncodedWrite } from '../../encode.ts';
import type { TurnLease } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';

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
  if (!turn) {
    throw new AppError('turn_taken_over', {
      detail: 'This turn can no longer be written here: it has ended or continues in another process.',
    });
  }
  return turn;
}
