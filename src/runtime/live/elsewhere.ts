import { AppError } from '../../errors.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { TurnRequest } from '../../store/shared.ts';
import type { StoredTurn } from '../../store/store.ts';
import { isGone } from '../turn/is-gone.ts';
import type { ChatDeps, ChatTurn } from '../turn/turn.ts';
import { readRemote } from './remote-turn.ts';

/** A runner that is alive takes a request within this time; a dead one is found within it, too. */
const WAIT_MS = 12_000;
const LOOK_MS = 100;
/** Looks between two checks for a dead process. */
const RECOVER_EVERY = 10;

/** Views a turn that another process runs, from its first event on or after the events that are not sent again. */
export async function viewElsewhere(
  deps: ChatDeps,
  user: User,
  turn: StoredTurn,
  before: readonly Event[] = [],
): Promise<ChatTurn> {
  const events = await deps.store.readEvents(user, turn.id);
  const last = before.at(-1);
  const after = last && parsePosition(last.id);
  return {
    turnId: turn.id,
    conversationId: turn.conversation_id,
    status: isPausedAfter(events) ? 'waiting' : 'running',
    before,
    events: readRemote({ deps, user, turn: { ...turn, status: 'running' }, known: events, after }),
    pausesAt: pausesAfter(events),
  };
}

/** Whether a stored turn that runs is paused by a question of a running call. */
export function isPausedAfter(events: readonly Event[]): boolean {
  const last = events.at(-1);
  return last?.type === 'turn-wait' && last.asking === true;
}

/** Whether a reader may leave after an event: a question with no later event. */
export function pausesAfter(known: readonly Event[]): (event: Event) => boolean {
  const old = new Set(known.slice(0, -1).map(({ id }) => id));
  return (event) => event.type === 'turn-wait' && event.asking === true && !old.has(event.id);
}

interface Awaited {
  turn: StoredTurn;
  isDone?(turn: StoredTurn): Promise<boolean>;
}

/** Leaves a request for a turn that another process runs, and waits as `awaitElsewhere` does. */
export async function requestElsewhere(
  deps: ChatDeps,
  user: User,
  { turn, request, isDone }: Awaited & { request: TurnRequest },
): Promise<StoredTurn | undefined> {
  const isLeft = await deps.store.requestTurn(user, turn.id, request);
  if (isLeft) deps.hub.poke(turn.id);
  return awaitElsewhere(deps, user, { turn, ...(isDone && { isDone }) });
}

/**
 * Waits until a turn that another process runs pauses or ends, or until `isDone`. Returns the turn as it is then, or
 * undefined if its process is dead. Throws `turn_running` if its process does not react.
 */
export async function awaitElsewhere(
  deps: ChatDeps,
  user: User,
  { turn, isDone }: Awaited,
): Promise<StoredTurn | undefined> {
  const until = deps.clock.now() + WAIT_MS;
  for (let looks = 1; deps.clock.now() < until; looks++) {
    const now = await deps.store.readTurn(user, turn.id);
    if (now?.status !== 'running' || (await isDone?.(now))) return now;
    if (looks % RECOVER_EVERY === 0 && (await isGone(deps, user, turn))) {
      const left = await deps.store.readTurn(user, turn.id);
      return left?.status === 'interrupted' ? undefined : left;
    }
    await new Promise<void>((resolve) => deps.clock.after(LOOK_MS, resolve));
  }
  throw new AppError('turn_running', {
    detail: 'Another server runs this turn and did not react yet. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}
