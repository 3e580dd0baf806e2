import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import { type AnswerInput, findAnswered } from './answer-turn.ts';
import { isGone } from './is-gone.ts';
import { resumeTurn } from './resume-turn.ts';
import type { ChatDeps, ChatTurn } from './turn.ts';
import { conversationNotFound, turnBusyError } from './turn-errors.ts';

export type ContinueInput = Pick<AnswerInput, 'conversationId' | 'idempotencyKey' | 'keepsGoing' | 'traceparent'>;

/**
 * Continues a conversation's newest turn after its process has died, whichever front began it. Calls that ended or whose
 * outcome is unknown are not run again.
 */
export async function continueInterrupted(deps: ChatDeps, user: User, input: ContinueInput): Promise<ChatTurn> {
  const newest = await deps.store.readNewestTurn(user, input.conversationId);
  if (!newest) throw conversationNotFound();
  const begun = input.idempotencyKey && (await findAnswered(deps, user, newest, { key: input.idempotencyKey }));
  if (begun) return begun;
  const turn = await settle(deps, user, newest);
  if (turn.status === 'running' || turn.status === 'waiting') throw turnBusyError(turn);
  if (turn.status !== 'interrupted') {
    throw new AppError('not_interrupted', { detail: 'The last turn of this conversation was not interrupted.' });
  }
  const place = deps.turns.take(user);
  try {
    return await resumeTurn(deps, user, { ...input, turn, clientTools: [] });
  } finally {
    place.release();
  }
}

/** A turn of a dead process becomes interrupted; a turn that asks a question reads `waiting`. */
async function settle(deps: ChatDeps, user: User, turn: StoredTurn): Promise<StoredTurn> {
  const live = deps.turns.findByTurn(user, turn.id);
  if (live) return live.isAsking() ? { ...turn, status: 'waiting' } : turn;
  if (turn.status !== 'running' || !(await isGone(deps, user, turn))) return turn;
  return (await deps.store.readTurn(user, turn.id)) ?? turn;
}
