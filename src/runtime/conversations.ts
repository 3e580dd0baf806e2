import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import { type ChatDeps, continueTurn } from './continue-turn.ts';
import { isGone } from './is-gone.ts';

/** Stops a conversation's turn, running or waiting, and keeps what is there; false when there is nothing to stop. */
export async function cancelTurn(deps: ChatDeps, user: User, conversationId: string): Promise<boolean> {
  const live = deps.turns.findByConversation(user, conversationId);
  if (live) {
    live.cancel();
    const result = await live.done.catch(() => undefined);
    // It had just begun to wait: then the wait is what is stopped.
    if (result?.status !== 'waiting') return true;
  }
  const turn = await deps.store.readNewestTurn(user, conversationId);
  if (turn?.status === 'waiting') return giveUpWaiting(deps, user, turn);
  if (turn?.status !== 'running') return false;
  if (await isGone(deps, user, turn)) return false;
  throw new AppError('turn_running', {
    detail: 'The turn runs in another process. Stop it there.',
    retryAfterSeconds: 1,
  });
}

/** A waiting turn is taken up once more, only to end it: its calls are given up unrun. */
async function giveUpWaiting(
  deps: ChatDeps,
  user: User,
  turn: Parameters<typeof continueTurn>[2]['turn'],
): Promise<boolean> {
  await continueTurn(deps, user, { turn, clientTools: [] }).catch(ignoreTaken);
  const live = deps.turns.findByTurn(user, turn.id);
  live?.cancel();
  await live?.done.catch(() => {});
  return true;
}

/** Somebody else ends it at this moment. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'turn_running')) throw error;
}

/** With everything in it. A running turn is stopped first, so that nothing acts for a conversation that is gone. */
export async function deleteConversation(deps: ChatDeps, user: User, id: string): Promise<boolean> {
  const live = deps.turns.findByConversation(user, id);
  live?.cancel();
  await live?.done.catch(() => {});
  return deps.store.deleteConversation(user, id);
}
