import { type Event, isDelta } from '../../schema/conversation/event.ts';
import { comparePositions, type Position, parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { ChatDeps } from '../turn/turn.ts';
import { eventsAfter } from './viewer.ts';

/** How often the store is polled for events of a turn that another process runs, without notes from it. */
const POLL_MS = 250;
/** The store is read this often while notes arrive, in case one was lost. */
const NET_MS = 2_000;
/** Polls between two checks for a dead process. */
const RECOVER_EVERY_MS = 2_000;

export interface RemoteRead {
  deps: Pick<ChatDeps, 'store' | 'hub' | 'clock'>;
  user: User;
  turn: StoredTurn;
  /** The stored events when the reader came. */
  known: readonly Event[];
  after: Position | undefined;
}

/**
 * The events of a turn that another process runs, until it ends, waits or is interrupted. Notes bring them early; the
 * store has them in order. A position shows exactly whether a note continues the last event; if not, the store is read.
 */
export async function* readRemote({ deps, user, turn, known, after }: RemoteRead): AsyncGenerator<Event, undefined> {
  const place = createPlace(turn.id, after);
  const inbox = createInbox();
  const stopWatching = deps.hub.watchTurn(user, {
    turnId: turn.id,
    after: place.lastId,
    take: (note) => (note.kind === 'events' ? inbox.add(note.events) : inbox.wake()),
  });
  let recoverAt = deps.clock.now() + RECOVER_EVERY_MS;
  try {
    let { status } = turn;
    yield* place.passAll(eventsAfter(known, after));
    while (status === 'running') {
      for (const event of inbox.take(place)) {
        yield place.pass(event);
        if (isLast(event)) return undefined;
      }
      const isQuiet = deps.hub.isLive && !inbox.hasGap();
      const woken = await inbox.wait(deps.clock, isQuiet ? NET_MS : POLL_MS);
      if (woken === 'events') continue;
      if (deps.clock.now() >= recoverAt) {
        await deps.store.recover();
        recoverAt = deps.clock.now() + RECOVER_EVERY_MS;
      }
      // Read the status first: if it is final, the events read after it are complete.
      status = (await deps.store.readTurn(user, turn.id))?.status ?? 'cancelled';
      const stored = await deps.store.readEventsAfter(user, place.position());
      yield* place.passAll(eventsAfter(stored, place.position()));
    }
  } finally {
    stopWatching();
  }
  return undefined;
}

/** The last event of an attempt; one that only asks a question goes on. */
function isLast(event: Event): boolean {
  return event.type === 'turn-end' || event.type === 'turn-interrupt' || (event.type === 'turn-wait' && !event.asking);
}

interface Place {
  position(): Position;
  lastId(): string | undefined;
  /** How an event of a note relates to the last one; a delta may come with a part that is known. */
  next(event: Event): Event | 'old' | 'gap';
  pass(event: Event): Event;
  passAll(events: readonly Event[]): Iterable<Event>;
}

/** The position that the reader has reached. */
function createPlace(turn: string, after: Position | undefined): Place {
  let last: Position = after ?? { turn, attempt: 0, seq: 0, offset: 0 };
  let passed = 0;
  let lastId: string | undefined = after && `${turn}.${after.attempt}.${after.seq}.${after.offset}`;
  const pass = (event: Event): Event => {
    const position = parsePosition(event.id);
    const number = passingNumber(event);
    if (position.attempt !== last.attempt) passed = 0;
    if (number > 0) passed = number;
    else {
      last = position;
      lastId = event.id;
    }
    return event;
  };
  return {
    position: () => last,
    lastId: () => lastId,
    pass,
    *passAll(events) {
      for (const event of events) yield pass(event);
    },
    next(event) {
      const position = parsePosition(event.id);
      const number = passingNumber(event);
      if (number > 0) {
        if (comparePositions(position, last) === 0) return number > passed ? event : 'old';
        return comparePositions(position, last) < 0 ? 'old' : 'gap';
      }
      if (comparePositions(position, last) <= 0) return 'old';
      if (position.attempt !== last.attempt) return 'gap';
      if (!isDelta(event)) return position.seq === last.seq + 1 && position.offset === last.offset ? event : 'gap';
      const start = position.offset - event.text.length;
      if (position.seq !== last.seq || start > last.offset) return 'gap';
      return start === last.offset ? event : { ...event, text: event.text.slice(last.offset - start) };
    },
  };
}

/** The number of a transient event, which has the position of the event before it; 0 for others. */
function passingNumber({ id }: Event): number {
  const plus = id.indexOf('+');
  return plus < 0 ? 0 : Number(id.slice(plus + 1));
}

/** Most events that wait for the store to close a gap. */
const MAX_WAITING = 5_000;

/** Events of notes that were not passed on yet. */
function createInbox() {
  let waiting: Event[] = [];
  let isGap = false;
  let isAwake = false;
  let notify = () => {};
  return {
    add(events: readonly Event[]) {
      waiting.push(...events);
      if (waiting.length > MAX_WAITING) waiting = [];
      notify();
    },
    wake() {
      isAwake = true;
      notify();
    },
    hasGap: () => isGap,
    /** Yields the events that continue the reader's place. Events after a gap wait until the store has closed it. */
    *take(place: Place): Generator<Event, void> {
      isGap = false;
      for (;;) {
        const event = waiting[0];
        if (!event) return;
        const next = place.next(event);
        if (next === 'gap') {
          isGap = true;
          return;
        }
        waiting.shift();
        if (next !== 'old') yield next;
      }
    },
    /** Resolves with `events` if notes arrived that may continue, else with `time` to read the store. */
    wait(clock: ChatDeps['clock'], ms: number): Promise<'events' | 'time'> {
      if (isAwake) {
        isAwake = false;
        return Promise.resolve('time');
      }
      if (waiting.length > 0 && !isGap) return Promise.resolve('events');
      return new Promise((resolve) => {
        const finish = (result: 'events' | 'time') => {
          cancel();
          notify = () => {};
          isAwake = false;
          resolve(result);
        };
        const cancel = clock.after(ms, () => finish('time'));
        notify = () => {
          if (isAwake) finish('time');
          else if (!isGap) finish('events');
        };
      });
    },
  };
}
