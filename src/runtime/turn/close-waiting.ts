import { foldEvents } from '../../agent/turn-state.ts';
import { AppError } from '../../errors.ts';
import type { CallAnswer } from '../../schema/conversation/event.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import { resumeTurn } from './resume-turn.ts';
import type { ChatDeps } from './turn.ts';
import { turnBusyError } from './turn-errors.ts';

/**
 * Ends a turn that waits only for front-end calls, because the user has sent the next message. It takes the given
 * results, gives each other call a synthetic result, and does not call the model again. Throws `awaiting_input` if the
 * turn also waits for a decision.
 */
export async function closeWaiting(
  deps: ChatDeps,
  user: User,
  { turn, results }: { turn: StoredTurn; results: readonly CallAnswer[] },
): Promise<void> {
  const events = await deps.store.readEvents(user, turn.id);
  const state = foldEvents(events);
  const waiting = state.calls.filter((call) => call.state === 'waiting');
  if (waiting.some((call) => state.waits.get(call.id)?.kind !== 'client')) throw turnBusyError(turn);
  const input = { turn, answers: [...results], clientTools: [], endsAfterCalls: true, events };
  const closing = await resumeTurn(deps, user, input);
  await closing.events.return?.();
  const live = deps.turns.findByTurn(user, turn.id);
  await live?.done.catch((cause: unknown) => {
    throw new AppError('store_unavailable', {
      detail: 'The last turn could not be ended because the store did not accept it. Try again.',
      cause,
    });
  });
}
