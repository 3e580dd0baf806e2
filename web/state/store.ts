/** A value outside React. Readers are notified at most once per drawn frame. */
export interface Store<T> {
  get(): T;
  update(change: (value: T) => T): void;
  subscribe(reader: () => void): () => void;
}

export type Schedule = (notify: () => void) => void;

export function createStore<T>(initial: T, schedule: Schedule = createFrameSchedule()): Store<T> {
  const readers = new Set<() => void>();
  let value = initial;
  let isScheduled = false;
  const notify = () => {
    isScheduled = false;
    for (const reader of readers) reader();
  };
  return {
    get: () => value,
    update(change) {
      const next = change(value);
      if (next === value) return;
      value = next;
      if (isScheduled) return;
      isScheduled = true;
      schedule(notify);
    },
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

/** Streaming text is read as fluent from here on; drawing it more often only costs. */
const DRAW_EVERY_MS = 40;
const HIDDEN_MS = 100;

/** The first change is drawn with the next frame, further ones at a steady pace. */
function createFrameSchedule(): Schedule {
  let drawnAt = 0;
  const draw = (notify: () => void) =>
    requestAnimationFrame((now) => {
      drawnAt = now;
      notify();
    });
  return (notify) => {
    // A hidden tab draws no frames, but its title and its status must still change.
    if (document.hidden) setTimeout(notify, HIDDEN_MS);
    else {
      const waitMs = drawnAt + DRAW_EVERY_MS - performance.now();
      if (waitMs > 0) setTimeout(draw, waitMs, notify);
      else draw(notify);
    }
  };
}
