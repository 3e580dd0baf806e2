import type { RecoveredTurn } from '../../store.ts';
import type { Runner } from '../runner.ts';
import { findLiveRunners } from '../runner-lock.ts';
import type { Sql } from '../sql.ts';
import { interruptTurn, type LostRow } from './interrupt-turn.ts';

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
