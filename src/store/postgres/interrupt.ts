import type { Ids } from '../../ids.ts';
import type { EventBody } from '../../schema/conversation/event.ts';
import type { Position } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import { interruptionOf, type LostTurn, takenOver } from '../interruption.ts';
import type { RecoveredTurn, TurnLease } from '../store.ts';
import { encodeForPostgres } from './encode.ts';
import type { Link, Sql } from './link.ts';

interface Interrupting {
  link: Link;
  ids: Ids;
  at: string;
}

/** Interrupts a turn of this server that no longer runs. */
export async function interruptLeased({ link, ids, at }: Interrupting, user: User, lease: TurnLease): Promise<void> {
  await link.transaction(async (sql) => {
    const fence = JSON.stringify({ ...lease, userId: user.id });
    const row = await sql.one<{ number: number | null }>(
      'SELECT holodeck_find_leased($1::text::jsonb) AS number',
      fence,
    );
    if (!row?.number) throw takenOver();
    const { turnId, conversationId, attempt } = lease;
    await interrupt(sql, { number: row.number, turnId, conversationId, attempt, userId: user.id }, { ids, at });
  });
}

/** Turns that are stored as running by a runner without a valid lease. */
const ORPHANED = `t.status = 'running'
  AND NOT EXISTS (SELECT 1 FROM runners r WHERE r.id = t.runner_id AND r.expires_at > now())`;
const FIND_LOST = `SELECT t.number FROM turns t WHERE ${ORPHANED} ORDER BY t.number LIMIT $1`;
/** A row that another server holds is being written or recovered at this moment. */
const LOCK_LOST = `SELECT t.number, t.id AS "turnId", c.id AS "conversationId", t.user_id AS "userId", t.attempt
  FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE t.number = $1 AND ${ORPHANED} FOR NO KEY UPDATE OF t SKIP LOCKED`;
const FORGET_RUNNERS = "DELETE FROM runners WHERE expires_at < now() - interval '1 hour'";
const AT_ONCE = 50;

/**
 * Marks turns of dead servers as interrupted. The row is locked by one statement and its events are read by the next: in
 * one statement, the wait for the lock would hide the last commit of a slow writer.
 */
export async function recoverTurns({ link, ids, at }: Interrupting): Promise<RecoveredTurn[]> {
  const recovered: RecoveredTurn[] = [];
  for (;;) {
    const rows = await link.all<{ number: number }>(FIND_LOST, AT_ONCE);
    const done = await Promise.all(rows.map(({ number }) => recoverOne({ link, ids, at }, number)));
    recovered.push(...done.filter((turn) => turn !== undefined));
    // Rows that another server holds are left to it.
    if (rows.length < AT_ONCE || done.every((turn) => turn === undefined)) break;
  }
  if (recovered.length > 0) await link.all(FORGET_RUNNERS);
  return recovered;
}

async function recoverOne({ link, ids, at }: Interrupting, number: number): Promise<RecoveredTurn | undefined> {
  return link.transaction(async (sql) => {
    const turn = await sql.one<LostTurn & { number: number }>(LOCK_LOST, number);
    if (!turn) return undefined;
    await interrupt(sql, turn, { ids, at });
    return { turnId: turn.turnId, conversationId: turn.conversationId };
  });
}

const CALL_EVENTS = `SELECT e.body FROM events e JOIN turns t ON t.number = e.turn AND t.month = e.month WHERE t.number = $1
  AND e.type IN ('tool-call-start', 'tool-call-run', 'delegation', 'tool-call-end') ORDER BY e.attempt, e.seq, e.text_offset`;
const LAST_POSITION = `SELECT coalesce(max(e.seq), 0) AS seq, coalesce(max(e.text_offset), 0) AS "offset"
  FROM events e JOIN turns t ON t.number = e.turn AND t.month = e.month WHERE t.number = $1 AND e.attempt = $2`;

async function interrupt(
  sql: Sql,
  turn: LostTurn & { number: number },
  { ids, at }: Pick<Interrupting, 'ids' | 'at'>,
): Promise<void> {
  const rows = await sql.all<{ body: string }>(CALL_EVENTS, turn.number);
  const last = await sql.one<Pick<Position, 'seq' | 'offset'>>(LAST_POSITION, turn.number, turn.attempt);
  const events = rows.map(({ body }): EventBody => JSON.parse(body));
  const write = interruptionOf({ turn, events, last: last ?? { seq: 0, offset: 0 }, at, newId: ids.ulid });
  const encoded = JSON.stringify(encodeForPostgres(write, turn));
  await sql.all('SELECT holodeck_append($1, $2::text::jsonb)', turn.number, encoded);
}
