import type { Event } from '../schema/conversation/event.ts';

/** Merges the events of parallel calls into one stream, in order of arrival. */
export interface EventQueue {
  push(...events: Event[]): void;
  end(): void;
  fail(error: unknown): void;
  events(): AsyncGenerator<Event, void>;
}

export function createEventQueue(): EventQueue {
  const waiting: Event[] = [];
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  return {
    push(...events) {
      waiting.push(...events);
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
      for (;;) {
        if (failure) throw failure.error;
        yield* waiting.splice(0);
        if (isOver && waiting.length === 0) return;
        if (waiting.length === 0 && !failure) await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
