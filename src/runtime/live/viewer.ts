import { type Event, isDelta } from '../../schema/conversation/event.ts';
import { comparePositions, formatPosition, type Position, parsePosition } from '../../schema/position.ts';

/** A reader with a longer backlog no longer gets every delta; it catches up from the stored events in larger pieces. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 64_000;
/** Longer texts are delivered in parts, so that no reader needs a buffer for a whole answer. */
const PIECE_CHARS = 64_000;

/** Events that a reader may stop reading at any time. */
export type EventStream = AsyncIterableIterator<Event, undefined>;

export interface ViewerOptions {
  /** All events so far, with adjacent deltas joined; the list grows. */
  events: readonly Event[];
  /** The position that the reader has already reached. */
  after: Position | undefined;
  /** Called if the reader stops before the end. */
  onLeave(viewer: Viewer): void;
}

type Next = IteratorResult<Event, undefined>;
const DONE: Next = { done: true, value: undefined };

/**
 * Reads a live turn at its own pace. It never blocks the turn and buffers little. It ends after the turn's last event.
 * `return` may be called at any time, even while `next` waits.
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
    this.#waiting = eventsAfter(options.events, options.after);
  }

  /** Maps later events through `show`. A stream wrapped around this one would cost more per token. */
  through(show: (event: Event) => Event): this {
    this.#show = show;
    return this;
  }

  push(event: Event): void {
    if (this.#isBehind) return;
    if (isDelta(event) || event.type === 'tool-call-delta') this.#waitingChars += event.text.length;
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
      const { events, after } = this.#options;
      this.#waiting = eventsAfter(events, this.#lastId === undefined ? after : parsePosition(this.#lastId));
    }
    const event = this.#waiting.shift();
    if (event) this.#lastId = event.id;
    if (this.#waiting.length === 0) this.#waitingChars = 0;
    return event;
  }
}

/** The events after a position. A delta that the reader has in part is cut to the rest. */
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

/** Splits a long delta. Each piece has the id of the position after its text, so that a reader can resume there. */
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

/** A surrogate pair is never split. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE_CHARS);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isSplit ? end + 1 : end;
}

/** The events of a stream, each as `change` returns it. */
export function mapEvents(events: EventStream, change: (event: Event) => Event): EventStream {
  return {
    async next() {
      const next = await events.next();
      return next.done ? next : { done: false, value: change(next.value) };
    },
    return: async () => (await events.return?.()) ?? DONE,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
