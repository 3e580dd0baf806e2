import type { Event } from '../schema/event.ts';
import { comparePositions, type Position, parsePosition } from '../schema/position.ts';

/** A reader this far behind is no longer handed every delta: it catches up from what was told, in larger pieces. */
const MAX_WAITING = 1_000;

/** One reader of a live turn, at its own pace. It never holds the turn up and keeps little in memory. */
export interface Viewer {
  push(event: Event): void;
  end(): void;
  fail(error: unknown): void;
  /** Ends after the turn's last event. `return` may be called at any time, also while `next` waits. */
  readonly events: EventStream;
}

/** Events that a reader may stop reading at any moment. */
export type EventStream = AsyncIterableIterator<Event, undefined>;

export interface ViewerOptions {
  /** Everything told so far, neighbouring deltas joined. */
  told: () => readonly Event[];
  /** What the reader has already. */
  after: Position | undefined;
  /** The reader stopped before the end. */
  onLeave: () => void;
}

type Next = IteratorResult<Event, undefined>;
const DONE: Next = { done: true, value: undefined };

export function createViewer({ told, after, onLeave }: ViewerOptions): Viewer {
  let waiting: Event[] = eventsAfter(told(), after);
  let lastId: string | undefined;
  let isBehind = false;
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let pending: { resolve(next: Next): void; reject(error: unknown): void } | undefined;

  const take = (): Event | undefined => {
    if (waiting.length === 0 && isBehind) {
      isBehind = false;
      waiting = eventsAfter(told(), lastId === undefined ? after : parsePosition(lastId));
    }
    const event = waiting.shift();
    if (event) lastId = event.id;
    return event;
  };
  const answer = () => {
    if (!pending) return;
    const event = take();
    if (!event && !isOver && !failure) return;
    const { resolve, reject } = pending;
    pending = undefined;
    if (event) resolve({ done: false, value: event });
    else if (failure) reject(failure.error);
    else resolve(DONE);
  };

  return {
    push(event) {
      if (isBehind) return;
      if (waiting.length < MAX_WAITING) waiting.push(event);
      else isBehind = true;
      answer();
    },
    end() {
      isOver = true;
      answer();
    },
    fail(error) {
      failure = { error };
      answer();
    },
    events: {
      next: () =>
        new Promise((resolve, reject) => {
          pending = { resolve, reject };
          answer();
        }),
      async return() {
        const hasLeft = !isOver && !failure;
        isOver = true;
        waiting = [];
        isBehind = false;
        answer();
        if (hasLeft) onLeave();
        return DONE;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}

/** The events that come after a position, with a delta that the reader has in part cut to the rest. */
export function eventsAfter(events: readonly Event[], after: Position | undefined): Event[] {
  if (!after) return [...events];
  return events.flatMap((event) => {
    const position = parsePosition(event.id);
    if (comparePositions(position, after) <= 0) return [];
    const isDelta = event.type === 'text-delta' || event.type === 'reasoning-delta';
    if (!isDelta || position.attempt !== after.attempt || position.seq !== after.seq) return [event];
    const missing = position.offset - Math.max(after.offset, position.offset - event.text.length);
    return [{ ...event, text: event.text.slice(event.text.length - missing) }];
  });
}
