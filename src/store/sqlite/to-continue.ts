import { SELECT_TURN, type TurnRow, toStoredTurn } from '../rows.ts';
import { type LeftTurn, MAX_ATTEMPTS } from '../shared.ts';
import type { Sql } from './sql.ts';

const LEFT = `SELECT left_turns.*, t2.user_id, t2.request FROM (${SELECT_TURN}
    WHERE t.status = 'interrupted' AND t.continues = 1 AND t.attempt < ? AND t.active = 1 AND c.head = t.number
    ORDER BY t.number LIMIT ?) left_turns
  JOIN turns t2 ON t2.number = left_turns.number`;

/** Interrupted turns whose request asked to go on. */
export function listToContinue(sql: Sql, limit: number): LeftTurn[] {
  const rows = sql.all<TurnRow & { user_id: string; request: string | null }>(LEFT, MAX_ATTEMPTS, limit);
  return rows.map((row) => ({
    turn: toStoredTurn(row),
    userId: row.user_id,
    request: JSON.parse(row.request ?? '{}'),
  }));
}
