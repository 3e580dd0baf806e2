import type { Event } from '../schema/event.ts';
import { comparePositions, type Position, parsePosition } from '../schema/position.ts';

/** A reader this far behind is no longer handed every delta: it catches up from what was told, in larger pieces. */
const MAX_WAITING = 1_000;

/** One reader of a live turn, at its own pace. It never holds the turn up and keeps little in memory. */
export interface Viewer {
  push(event: Event): void;
  end(): void;
  fail(error: unknown): void;
  /** Ends after the turn's last event. Leaving early calls `onLeave`. */
  events(): AsyncGenerator<Event, void>;
}

export interface ViewerOptions {
  /** Everything told so far, neighbouring deltas joined. */
  told: () => readonly Event[];
  /** What the reader has already. */
  after: Position | undefined;
  onLeave: () => void;
}

export function createViewer({ told, after, onLeave }: ViewerOptions): Viewer {
  let waiting: Event[] = eventsAfter(told(), after);
  let last = after;
  let isBehind = false;
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  const catchUp = () => {
    isBehind = false;
    waiting = eventsAfter(told(), last);
  };

  return {
    push(event) {
      if (isBehind) return;
      if (waiting.length < MAX_WAITING) waiting.push(event);
      else isBehind = true;
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    fail(error) {
      failure = { error };
      wake();
    },
    async *events() {
      let hasEnded = false;
      try {
        for (;;) {
          for (const event of waiting.splice(0)) {
            last = parsePosition(event.id);
            yield event;
          }
          if (isBehind) catchUp();
          else if (waiting.length > 0) continue;
          else if (failure) throw failure.error;
          else if (isOver) break;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
        hasEnded = true;
      } finally {
        if (!hasEnded) onLeave();
      }
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
