import type { Clock } from '../../clock.ts';

/**
 * A clock that stands still between the exchanges with models and tools. A recorded and a repeated turn then read the
 * same times, however often they look and however fast the machine is. Timers stay real.
 */
export interface TapeClock extends Clock {
  /** Milliseconds since the start. */
  readonly elapsedMs: number;
  moveTo(elapsedMs: number): void;
}

export function createTapeClock(clock: Clock, start: Date): TapeClock {
  let elapsedMs = 0;
  return {
    ...clock,
    now: () => elapsedMs,
    date: () => new Date(start.getTime() + elapsedMs),
    get elapsedMs() {
      return elapsedMs;
    },
    moveTo(next) {
      elapsedMs = Math.max(elapsedMs, next);
    },
  };
}
