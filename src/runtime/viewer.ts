import { type Event, isDelta } from '../schema/event.ts';
import { comparePositions, formatPosition, type Position, parsePosition } from '../schema/position.ts';

/** A reader this far behind is no longer handed every delta: it catches up from what was told, in larger pieces. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 64_000;
/** Longer texts are handed over in parts, so that one reader never needs a buffer for all of an answer. */
const PIECE_CHARS = 64_000;

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
  #waitingChars = 0;
  #lastId: string | undefined;
  #isBehind = false;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #pending: { resolve(next: Next): void; reject(error: unknown): void } | undefined;
  #show = (event: Event): Event => event;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#waiting = eventsAfter(options.told, options.after);
  }

  /** From now on events are handed over as `show` makes them. A stream around this one would cost more per token. */
  through(show: (event: Event) => Event): this {
    this.#show = show;
    return this;
  }

  push(event: Event): void {
    if (this.#isBehind) return;
    if (isDelta(event)) this.#waitingChars += event.text.length;
    if (this.#waiting.length < MAX_WAITING && this.#waitingChars <= MAX_WAITING_CHARS) this.#waiting.push(event);
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
    if (event) resolve({ done: false, value: this.#show(event) });
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
    if (this.#waiting.length === 0) this.#waitingChars = 0;
    return event;
  }
}

/** The events that come after a position, with a delta that the reader has in part cut to the rest. */
export function eventsAfter(events: readonly Event[], after: Position | undefined): Event[] {
  if (!after) return events.flatMap(inPieces);
  return events.flatMap((event) => {
    const position = parsePosition(event.id);
    if (comparePositions(position, after) <= 0) return [];
    if (!isDelta(event) || position.attempt !== after.attempt || position.seq !== after.seq) return inPieces(event);
    const missing = position.offset - Math.max(after.offset, position.offset - event.text.length);
    return inPieces({ ...event, text: event.text.slice(event.text.length - missing) });
  });
}

/** A delta as several: each has the id that a reader of only so much of the text holds. */
function inPieces(event: Event): Event[] {
  if (!isDelta(event) || event.text.length <= PIECE_CHARS) return [event];
  const position = parsePosition(event.id);
  const { text } = event;
  const pieces: Event[] = [];
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    const id = formatPosition({ ...position, offset: position.offset - text.length + end });
    pieces.push({ ...event, id, text: text.slice(start, end) });
    start = end;
  }
  return pieces;
}

/** Two halves of one character stay together. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE_CHARS);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isSplit ? end + 1 : end;
}
