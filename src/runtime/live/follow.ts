import { AppError } from '../../errors.ts';
import { type Event, isDelta } from '../../schema/conversation/event.ts';
import { comparePositions, type Position, parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { ChatDeps, ChatTurn } from '../turn/turn.ts';
import { conversationNotFound } from '../turn/turn-errors.ts';
import { pausesAfter } from './elsewhere.ts';
import { readRemote } from './remote-turn.ts';
import { eventsAfter, mapEvents } from './viewer.ts';

/**
 * How often the store is polled for a turn begun by another process, so that it appears within 500 ms. A poll costs
 * about 20 µs: 1,000 idle readers take 5 % of one core.
 */
const IDLE_POLL_MS = 400;
/** With notes between servers, the store is asked this often in case one was lost. */
const IDLE_NET_MS = 5_000;

export interface FollowInput {
  conversationId: string;
  /** The position that the reader has already reached. */
  after?: Position;
  /** Waits for later turns instead of ending with this one. */
  stays?: boolean;
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
}

interface Reader extends Pick<FollowInput, 'conversationId' | 'signal'> {
  deps: ChatDeps;
  user: User;
}

/** A turn of a conversation, starting at its reader's position. */
export interface FollowedTurn extends ChatTurn {
  /** The reader holds text or an event that was never committed and is lost, so it must receive the committed state. */
  isAhead: boolean;
  /** The Idempotency-Key that the turn was begun with. */
  key?: string;
  /** The remaining events of a turn that has ended or waits; absent while more may come. */
  rest?: readonly Event[];
}

/**
 * Yields a conversation's newest turn, live or stored. After a position it yields the rest of that turn and every later
 * turn in order, so that a reader who was away misses nothing. A turn that waited and was answered is yielded again
 * from the point where it had stopped. Throws `conversation_not_found` before the first turn.
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

  /** Records how far the reader has read. */
  function note(turn: FollowedTurn): FollowedTurn {
    last ??= { turn: turn.turnId, attempt: 0, seq: 0, offset: 0 };
    if (last.turn !== turn.turnId) last = { turn: turn.turnId, attempt: 0, seq: 0, offset: 0 };
    const seen = (event: Event) => {
      last = parsePosition(event.id);
      return event;
    };
    return { ...turn, events: mapEvents(turn.events, seen) };
  }
}

/** The turn after a position: a later attempt at the same turn, or the next turn. */
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
    detail: 'The event id in Last-Event-ID belongs to another conversation. Reconnect without it.',
    problems: [{ path: 'Last-Event-ID', message: 'not an event of this conversation' }],
  });
}

async function openTurn(reader: Reader, turn: StoredTurn, after: Position | undefined): Promise<FollowedTurn> {
  const { deps, user } = reader;
  const live = deps.turns.findByTurn(user, turn.id);
  const known = live ? live.events() : await deps.store.readEvents(user, turn.id);
  const isElsewhere = !live && turn.status === 'running';
  const isStill = live ? live.isPaused() : turn.status !== 'running';
  return {
    turnId: turn.id,
    conversationId: turn.conversation_id,
    status: turn.status,
    before: after ? eventsUpTo(known, after) : [],
    events: live ? live.view(after) : readRemote({ deps, user, turn, known, after }),
    pausesAt: live ? live.isPausedAt : pausesAfter(known),
    ...(isStill && { rest: eventsAfter(known, after) }),
    isAhead: after !== undefined && !isElsewhere && isAheadOf(known, after),
    ...(turn.idempotency_key !== undefined && { key: turn.idempotency_key }),
  };
}

/** The events that a reader at this position has. A delta that the reader has in part is cut to that part. */
export function eventsUpTo(events: readonly Event[], after: Position): Event[] {
  return events.flatMap((event) => {
    const position = parsePosition(event.id);
    if (comparePositions(position, after) <= 0) return [event];
    if (!isDelta(event) || position.attempt !== after.attempt || position.seq !== after.seq) return [];
    const held = event.text.length - (position.offset - after.offset);
    return held > 0 ? [{ ...event, text: event.text.slice(0, held) }] : [];
  });
}

/** Whether a position refers to an event that was sent once and lost before it was written. */
function isAheadOf(events: readonly Event[], after: Position): boolean {
  const places = events.map((event) => parsePosition(event.id)).filter(({ attempt }) => attempt === after.attempt);
  if (after.seq > 0 && !places.some(({ seq }) => seq === after.seq)) return true;
  const offsets = places.filter(({ seq }) => seq <= after.seq).map(({ offset }) => offset);
  return after.offset > Math.max(0, ...offsets);
}

/** Resolves when a turn of this conversation begins here, when it is time to poll for other processes, or on abort. */
function nextTurn({ deps, user, conversationId, signal }: Reader): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancelTimer();
      stopWatching();
      stopNotes();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancelTimer = deps.clock.after(deps.hub.isLive ? IDLE_NET_MS : IDLE_POLL_MS, finish);
    const stopWatching = deps.turns.onStart(user, conversationId, finish);
    const stopNotes = deps.hub.onBegin(conversationId, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
