import type { TakenRequest, TurnRequest } from '../../shared.ts';
import type { Sql } from '../sql.ts';

export interface NewRequest {
  userId: string;
  turnId: string;
  request: TurnRequest;
}

const ADD = `INSERT INTO requests (turn, body)
  SELECT number, ? FROM turns WHERE id = ? AND user_id = ? AND status = 'running'`;

/** Stores a request for a running turn; false if the turn does not run. */
export function requestTurn(sql: Sql, { userId, turnId, request }: NewRequest): boolean {
  return sql.run(ADD, JSON.stringify(request), turnId, userId) > 0;
}

const TAKE = `SELECT r.number, r.body, t.id AS turnId FROM requests r JOIN turns t ON t.number = r.turn
  WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY r.number`;

/** Removes and returns the requests for these turns, oldest first. */
export function takeRequests(sql: Sql, { turnIds }: { turnIds: readonly string[] }): TakenRequest[] {
  const rows = sql.all<{ number: number; body: string; turnId: string }>(TAKE, JSON.stringify(turnIds));
  for (const { number } of rows) sql.run('DELETE FROM requests WHERE number = ?', number);
  return rows.map(({ body, turnId }) => ({ ...(JSON.parse(body) as TurnRequest), turnId }));
}

/** Whether any request waits; read without the write lock. */
export function hasRequests(sql: Sql): boolean {
  return sql.one('SELECT 1 FROM requests LIMIT 1') !== undefined;
}
