import { AppError } from '../errors.ts';
import { type Event, isDelta } from '../schema/event.ts';
import { comparePositions, type Position, parsePosition } from '../schema/position.ts';
import type { User } from '../schema/user.ts';
import type { StoredTurn } from '../store/store.ts';
import { type ChatDeps, type ChatTurn, conversationNotFound } from './continue-turn.ts';
import { type EventStream, eventsAfter } from './viewer.ts';

/** How often the store is read for news of a turn that another process runs. */
const POLL_MS = 250;
/**
 * How often the store is read for a turn that another process has begun: such a turn is shown within 500 ms. A look
 * costs about 20 µs, so 1,000 idle readers take 5 % of one core.
 */
const IDLE_POLL_MS = 400;
/** Polls between two looks for a process that died. */
const RECOVER_EVERY = 8;

export interface FollowInput {
  conversationId: string;
  /** What the reader has already. */
  after?: Position;
  /** Waits for later turns instead of ending with this one. */
  stays?: boolean;
  /** Aborted = the reader left. */
  signal: AbortSignal;
}

interface Reader extends Pick<FollowInput, 'conversationId' | 'signal'> {
  deps: ChatDeps;
  user: User;
}

/** One turn of a conversation, from where its reader stands. */
export interface FollowedTurn extends ChatTurn {
  /** The reader holds text or an event that was never committed and is lost: it must be told what stands. */
  isAhead: boolean;
  /** The Idempotency-Key that the turn was begun with. */
  key?: string;
  /** The last events of a turn that has ended or waits; absent while more may come. */
  rest?: readonly Event[];
}

/**
 * A conversation's newest turn, live or stored; after a position the rest of that turn and every later one, in order,
 * so that nothing is missing for a reader who was away. A turn that waited and was answered comes again, from where it
 * had stopped. Throws `conversation_not_found` before the first one.
 */
export async function* follow(deps: ChatDeps, user: User, input: FollowInput): AsyncGenerator<FollowedTurn, void> {
  const { conversationId, signal } = input;
  const reader: Reader = { deps, user, conversationId, signal };
  if (!(await deps.store.readConversation(user, conversationId))) throw conversationNotFound();
  let last = input.after;
  if (last) yield note(await openFirst(reader, last));
  while (!signal.aborted) {
    const newest = await deps.store.readNewestTurn(user, conversationId);
    const next = newest && (await findNext(reader, newest, last));
    if (next) yield note(await openTurn(reader, next, next.id === last?.turn ? last : undefined));
    if (!input.stays && (!next || next.id === newest.id)) return;
    if (!next) await nextTurn(reader);
  }

  /** Remembers how far the reader has been told. */
  function note(turn: FollowedTurn): FollowedTurn {
    last ??= { turn: turn.turnId, attempt: 0, seq: 0, offset: 0 };
    if (last.turn !== turn.turnId) last = { turn: turn.turnId, attempt: 0, seq: 0, offset: 0 };
    const seen = (event: Event) => {
      last = parsePosition(event.id);
    };
    return { ...turn, events: tap(turn.events, seen) };
  }
}

/** What comes after a position: a later attempt at its turn, or the next turn. */
async function findNext(
  { deps, user }: Reader,
  newest: StoredTurn,
  last: Position | undefined,
): Promise<StoredTurn | undefined> {
  if (!last) return newest;
  if (newest.id === last.turn) return newest.attempt > last.attempt ? newest : undefined;
  return (await deps.store.readNextTurn(user, last.turn)) ?? newest;
}

async function openFirst(reader: Reader, after: Position): Promise<FollowedTurn> {
  const turn = await reader.deps.store.readTurn(reader.user, after.turn);
  if (turn?.conversation_id === reader.conversationId) return openTurn(reader, turn, after);
  throw new AppError('invalid_request', {
    detail: 'The event id is not of this conversation. Start again without Last-Event-ID.',
    problems: [{ path: 'Last-Event-ID', message: 'not an event of this conversation' }],
  });
}

async function openTurn(reader: Reader, turn: StoredTurn, after: Position | undefined): Promise<FollowedTurn> {
  const { deps, user } = reader;
  const live = deps.turns.findByTurn(user, turn.id);
  const told = live ? live.told() : await deps.store.readEvents(user, turn.id);
  const isElsewhere = !live && turn.status === 'running';
  const isStill = live ? live.isPaused() : turn.status !== 'running';
  return {
    turnId: turn.id,
    conversationId: turn.conversation_id,
    status: turn.status,
    before: after ? eventsUpTo(told, after) : [],
    events: live ? live.view(after) : pollTurn(reader, turn, { told, after }),
    ...(live && { pausesAt: live.isPausedAt }),
    ...(isStill && { rest: eventsAfter(told, after) }),
    isAhead: after !== undefined && !isElsewhere && isAheadOf(told, after),
    ...(turn.idempotency_key !== undefined && { key: turn.idempotency_key }),
  };
}

/** What a reader at this position has, with a delta that it has in part cut to that part. */
export function eventsUpTo(events: readonly Event[], after: Position): Event[] {
  return events.flatMap((event) => {
    const position = parsePosition(event.id);
    if (comparePositions(position, after) <= 0) return [event];
    if (!isDelta(event) || position.attempt !== after.attempt || position.seq !== after.seq) return [];
    const held = event.text.length - (position.offset - after.offset);
    return held > 0 ? [{ ...event, text: event.text.slice(0, held) }] : [];
  });
}

/** Whether a position is of something that is not among the events: told once, and lost before it was written. */
function isAheadOf(events: readonly Event[], after: Position): boolean {
  const places = events.map((event) => parsePosition(event.id)).filter(({ attempt }) => attempt === after.attempt);
  if (after.seq > 0 && !places.some(({ seq }) => seq === after.seq)) return true;
  const offsets = places.filter(({ seq }) => seq <= after.seq).map(({ offset }) => offset);
  return after.offset > Math.max(0, ...offsets);
}

/** A stored turn; one that another process runs is read on until it ends. */
async function* pollTurn(
  { deps, user }: Reader,
  turn: StoredTurn,
  from: { told: readonly Event[]; after: Position | undefined },
): AsyncGenerator<Event, undefined> {
  let { status } = turn;
  let rest = eventsAfter(from.told, from.after);
  let last = from.after;
  for (let polls = 1; ; polls++) {
    for (const event of rest) {
      last = parsePosition(event.id);
      yield event;
    }
    if (status !== 'running') return;
    await new Promise<void>((resolve) => deps.clock.after(POLL_MS, resolve));
    if (polls % RECOVER_EVERY === 0) await deps.store.recover();
    // The status first: when it says that the turn is over, the events read after it are all there are.
    status = (await deps.store.readTurn(user, turn.id))?.status ?? 'cancelled';
    const beginning = { turn: turn.id, attempt: 0, seq: 0, offset: 0 };
    rest = eventsAfter(await deps.store.readEventsAfter(user, last ?? beginning), last);
  }
}

/** Resolves when a turn of this conversation begins here, when it is time to look for one of another process, or at the end. */
function nextTurn({ deps, user, conversationId, signal }: Reader): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancelTimer();
      stopWatching();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancelTimer = deps.clock.after(IDLE_POLL_MS, finish);
    const stopWatching = deps.turns.onStart(user, conversationId, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}

function tap(events: EventStream, seen: (event: Event) => void): EventStream {
  return {
    async next() {
      const next = await events.next();
      if (!next.done) seen(next.value);
      return next;
    },
    return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
