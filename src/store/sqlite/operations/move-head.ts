import { SELECT_TURN, type TurnRow, toStoredTurn } from '../../rows.ts';
import type { BeginTurn, Begun } from '../../store.ts';
import type { Sql } from '../sql.ts';

/** A conversation about to get a turn; `head` is the number of the turn that the new one follows. */
export interface Place {
  number: number;
  version: number;
  head: number | null;
  replaces?: number;
}

const REPLACED = 'SELECT number, parent FROM turns WHERE id = ? AND conversation = ?';
const HEAD = `${SELECT_TURN} WHERE t.number = ?`;

/** Cuts the path before the replaced turn, so that the new turn becomes its sibling. */
export function moveToSibling(
  sql: Sql,
  place: Place,
  replaces: NonNullable<BeginTurn['replaces']>,
): Place | Extract<Begun, { outcome: 'busy' | 'missing' }> {
  const replaced = sql.one<{ number: number; parent: number | null }>(REPLACED, replaces.turnId, place.number);
  const head = sql.one<TurnRow>(HEAD, place.head);
  if (!replaced || !head) return { outcome: 'missing' };
  if (head.id !== replaces.head) return { outcome: 'busy', turn: toStoredTurn(head) };
  activatePath(sql, place.number, replaced.parent);
  return { ...place, head: replaced.parent, replaces: replaced.number };
}

const ACTIVATE = `WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE number = ?1
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path p ON t.number = p.parent)
  UPDATE turns SET active = number IN (SELECT number FROM path)
  WHERE conversation = ?2 AND active <> (number IN (SELECT number FROM path))`;
const COUNT = `UPDATE conversations SET message_count = (SELECT count(*) FROM messages m
    JOIN turns t ON t.number = m.turn
    WHERE m.conversation = ?1 AND m.is_text = 1 AND t.active = 1)
  WHERE number = ?1`;

function activatePath(sql: Sql, conversation: number, end: number | null): void {
  sql.run(ACTIVATE, end, conversation);
  sql.run(COUNT, conversation);
}
