import type { Event } from '../schema/event.ts';
import { comparePositions, type Position, parsePosition } from '../schema/position.ts';

/** A reader this far behind is no longer handed every delta: it catches up from what was told, in larger pieces. */
const MAX_WAITING = 1_000;

/** Events that a reader may stop reading at any moment. */
export type EventStream = AsyncIterableIterator<Event, undefined>;

export interface ViewerOptions {
  /** Everything told so far, neighbouring deltas joined; it grows. */
  told: readonly Event[];
  /** What the reader has already. */
  after: Position | undefined;
  /** The reader stopped before the end. */
  onLeave(viewer: Viewer): void;
}

type Next = IteratorResult<Event, undefined>;
const DONE: Next = { done: true, value: undefined };

/**
 * One reader of a live turn, at its own pace. It never holds the turn up and keeps little in memory. Ends after the
 * turn's last event. `return` may be called at any time, also while `next` waits.
 */
export class Viewer implements EventStream {
  readonly #options: ViewerOptions;
  #waiting: Event[];
  #lastId: string | undefined;
  #isBehind = false;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #pending: { resolve(next: Next): void; reject(error: unknown): void } | undefined;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#waiting = eventsAfter(options.told, options.after);
  }

  push(event: Event): void {
    if (this.#isBehind) return;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(event);
    else this.#isBehind = true;
    this.#answer();
  }

  end(): void {
    this.#isOver = true;
    this.#answer();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#answer();
  }

  next(): Promise<Next> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#answer();
    });
  }

  async return(): Promise<Next> {
    const hasLeft = !this.#isOver && !this.#failure;
    this.#isOver = true;
    this.#waiting = [];
    this.#isBehind = false;
    this.#answer();
    if (hasLeft) this.#options.onLeave(this);
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #answer(): void {
    if (!this.#pending) return;
    const event = this.#take();
    if (!event && !this.#isOver && !this.#failure) return;
    const { resolve, reject } = this.#pending;
    this.#pending = undefined;
    if (event) resolve({ done: false, value: event });
    else if (this.#failure) reject(this.#failure.error);
    else resolve(DONE);
  }

  #take(): Event | undefined {
    if (this.#waiting.length === 0 && this.#isBehind) {
      this.#isBehind = false;
      const { told, after } = this.#options;
      this.#waiting = eventsAfter(told, this.#lastId === undefined ? after : parsePosition(this.#lastId));
    }
    const event = this.#waiting.shift();
    if (event) this.#lastId = event.id;
    return event;
  }
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
