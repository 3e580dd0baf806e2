import { type Clock, systemClock } from '../../src/clock.ts';

/** A clock on which time passes `factor` times as fast, for deadlines that real sockets must meet. */
export function createFastClock(factor: number): Clock {
  return {
    now: () => systemClock.now() * factor,
    date: systemClock.date,
    after: (ms, callback) => systemClock.after(ms / factor, callback),
  };
}
