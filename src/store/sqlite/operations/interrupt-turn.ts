import type { Ids } from '../../../ids.ts';
import type { EventBody } from '../../../schema/conversation/event.ts';
import type { Position } from '../../../schema/position.ts';
import { encodeWrite } from '../../encode.ts';
import { interruptionOf, type LostTurn } from '../../interruption.ts';
import type { EventRow } from '../../rows.ts';
import type { RecoveredTurn, TurnLease } from '../../store.ts';
import { findLiveRunners, type Runner } from '../runner-lock.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';
import { findLeased } from './write-turn.ts';

/** A lost turn with its row numbers. */
interface LostRow extends LostTurn {
  number: number;
  conversation: number;
}

export interface LeasedTurn {
  userId: string;
  lease: TurnLease;
}

export function interruptLeased(
  sql: Sql,
  { userId, lease, at }: LeasedTurn & { at: string },
  { ids }: { ids: Ids },
): void {
  const { turnId, conversationId, attempt } = lease;
  interruptTurn(sql, { ...findLeased(sql, { userId, lease }), turnId, conversationId, userId, attempt }, { at, ids });
}

const CALL_EVENTS = `SELECT body FROM events WHERE turn = ?
  AND type IN ('tool-call-start', 'tool-call-run', 'delegation', 'tool-call-end') ORDER BY attempt, seq, text_offset`;
const LAST_POSITION = `SELECT ifnull(max(seq), 0) AS seq, ifnull(max(text_offset), 0) AS offset
  FROM events WHERE turn = ? AND attempt = ?`;

/** Interrupts a turn by the rules that all stores share, inside the caller's transaction. */
function interruptTurn(sql: Sql, turn: LostRow, { at, ids }: { at: string; ids: Ids }): void {
  const { number, conversation, turnId, attempt, userId } = turn;
  const events = sql.all<EventRow>(CALL_EVENTS, number).map(({ body }): EventBody => JSON.parse(body));
  const last = sql.one<Pick<Position, 'seq' | 'offset'>>(LAST_POSITION, number, attempt) ?? { seq: 0, offset: 0 };
  const write = interruptionOf({ turn, events, last, at, newId: ids.ulid });
  appendWrite(sql, { turnId, turn: number, attempt, conversation, userId }, encodeWrite(write));
}

const RUNNING = `SELECT t.number, t.id AS turnId, t.conversation, c.id AS conversationId, t.user_id AS userId, t.attempt,
    t.runner_id AS runnerId
  FROM turns t JOIN conversations c ON c.number = t.conversation WHERE t.status = 'running' ORDER BY t.number`;

/** Marks turns of dead runners as `interrupted` and their running calls as `unknown`. Returns the turns. */
export function recover(
  sql: Sql,
  { at }: { at: string },
  { folder, ids }: Pick<Runner, 'folder' | 'ids'>,
): RecoveredTurn[] {
  const live = findLiveRunners(folder);
  const lost = sql.all<LostRow & { runnerId: string }>(RUNNING).filter((turn) => !live.has(turn.runnerId));
  for (const turn of lost) interruptTurn(sql, turn, { at, ids });
  return lost.map(({ turnId, conversationId }) => ({ turnId, conversationId }));
}
