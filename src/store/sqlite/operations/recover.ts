import type { RecoveredTurn } from '../../store.ts';
import { findLiveRunners } from '../runner-lock.ts';
import type { Sql } from '../sql.ts';
import { interruptTurn, type RunningTurn } from './interrupt-turn.ts';

const RUNNING = `SELECT t.number, t.id, t.conversation, c.id AS conversation_id, t.user_id, t.attempt, t.runner_id
  FROM turns t JOIN conversations c ON c.number = t.conversation WHERE t.status = 'running' ORDER BY t.number`;

/** Turns whose runner is gone become `interrupted`, their running calls `unknown`. Returns them. */
export function recover(sql: Sql, { at }: { at: string }, folder: string): RecoveredTurn[] {
  const live = findLiveRunners(folder);
  const lost = sql.all<RunningTurn & { runner_id: string }>(RUNNING).filter((turn) => !live.has(turn.runner_id));
  for (const turn of lost) interruptTurn(sql, turn, at);
  return lost.map(({ id, conversation_id }) => ({ turnId: id, conversationId: conversation_id }));
}
