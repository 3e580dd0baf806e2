import { foldEvents } from '../agent/turn-state.ts';
import { AppError } from '../errors.ts';
import type { CallAnswer } from '../schema/event.ts';
import type { User } from '../schema/user.ts';
import type { StoredTurn } from '../store/store.ts';
import { type ChatDeps, continueTurn, inTheWay } from './continue-turn.ts';

/**
 * Ends a turn that waits for the front end's calls only, because the user has sent the next message: the results are
 * taken, a call without one gets a synthetic one, and the model is not asked again. Throws `awaiting_input` when the
 * turn waits for a decision as well.
 */
export async function closeWaiting(
  deps: ChatDeps,
  user: User,
  { turn, results }: { turn: StoredTurn; results: readonly CallAnswer[] },
): Promise<void> {
  const state = foldEvents(await deps.store.readEvents(user, turn.id));
  const waiting = state.calls.filter((call) => call.state === 'waiting');
  if (waiting.some((call) => state.waits.get(call.id)?.kind !== 'client')) throw inTheWay(turn);
  const input = { turn, answers: [...results], clientTools: [], endsAfterCalls: true };
  const closing = await continueTurn(deps, user, input);
  await closing.events.return?.();
  const live = deps.turns.findByTurn(user, turn.id);
  await live?.done.catch((cause: unknown) => {
    throw new AppError('store_unavailable', { detail: 'The last turn could not be ended. Try again.', cause });
  });
}
