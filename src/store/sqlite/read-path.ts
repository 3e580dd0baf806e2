import type { TurnMessage } from '../../schema/conversation/history.ts';
import type { User } from '../../schema/user.ts';
import type { Sql } from './sql.ts';

const PATH = `WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE id = ?1 AND user_id = ?2
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path ON t.number = path.parent)
  SELECT m.body, t.id FROM messages m JOIN turns t ON t.number = m.turn
  WHERE m.conversation = (SELECT conversation FROM turns WHERE id = ?1 AND user_id = ?2)
    AND m.turn IN (SELECT number FROM path) ORDER BY m.position`;

export function readPath(sql: Sql, user: User, turnId: string): Pick<TurnMessage, 'turnId' | 'message'>[] {
  const rows = sql.all<{ body: string; id: string }>(PATH, turnId, user.id);
  return rows.map(({ body, id }) => ({ turnId: id, message: JSON.parse(body) }));
}
