import type { Clock } from '../clock.ts';

export interface Deadline {
  remainingMs(): number;
  /** Runs work that does not count, such as waiting for a human. Several may overlap. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
  cancel(): void;
}

/** Calls `onDue` once when `ms` of counted time have passed. */
export function createDeadline(clock: Clock, ms: number, onDue: () => void): Deadline {
  let leftMs = ms;
  let startedMs = clock.now();
  let pauses = 0;
  let isOver = false;
  let stopTimer = clock.after(leftMs, onDue);

  const pause = () => {
    if (pauses++ > 0) return;
    stopTimer();
    leftMs -= clock.now() - startedMs;
  };
  const resume = () => {
    if (--pauses > 0 || isOver) return;
    startedMs = clock.now();
    stopTimer = clock.after(leftMs, onDue);
  };

  return {
    remainingMs: () => (pauses > 0 ? leftMs : leftMs - (clock.now() - startedMs)),
    async pauseFor(work) {
      pause();
      try {
        return await work();
      } finally {
        resume();
      }
    },
    cancel() {
      isOver = true;
      stopTimer();
    },
  };
}
