import type { Ids } from '../../../ids.ts';
import type { EventBody } from '../../../schema/conversation/event.ts';
import type { Position } from '../../../schema/position.ts';
import { encodeWrite } from '../../encode.ts';
import { interruptionOf, type LostTurn } from '../../interruption.ts';
import type { EventRow } from '../../rows.ts';
import type { TurnLease } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';
import { findLeased } from './write-turn.ts';

/** A lost turn with its row numbers. */
export interface LostRow extends LostTurn {
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
  AND type IN ('tool-call-start', 'tool-call-run', 'tool-call-end') ORDER BY attempt, seq, text_offset`;
const LAST_POSITION = `SELECT ifnull(max(seq), 0) AS seq, ifnull(max(text_offset), 0) AS offset
  FROM events WHERE turn = ? AND attempt = ?`;

/** Interrupts a turn by the rules that all stores share, inside the caller's transaction. */
export function interruptTurn(sql: Sql, turn: LostRow, { at, ids }: { at: string; ids: Ids }): void {
  const { number, conversation, turnId, attempt, userId } = turn;
  const events = sql.all<EventRow>(CALL_EVENTS, number).map(({ body }): EventBody => JSON.parse(body));
  const last = sql.one<Pick<Position, 'seq' | 'offset'>>(LAST_POSITION, number, attempt) ?? { seq: 0, offset: 0 };
  const write = interruptionOf({ turn, events, last, at, newId: ids.ulid });
  appendWrite(sql, { turnId, turn: number, attempt, conversation, userId }, encodeWrite(write));
}
