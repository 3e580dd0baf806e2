/** Time as a parameter, so that a test can move it. */
export interface Clock {
  /** Monotonic milliseconds: for durations and deadlines, never for showing. */
  now(): number;
  /** The wall clock: for showing and storing, never for durations. */
  date(): Date;
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Longer timers would fire at once in Node. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, callback) {
    // Rounded up: Node drops the fraction, and a deadline must not be met before its time.
    const timer = setTimeout(callback, Math.min(Math.max(Math.ceil(ms), 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** A clock that advances only when the test moves it. */
export interface FakeClock extends Clock {
  /** Advances time and runs due callbacks in order. Promises settle before, between and after. */
  advance(ms: number): Promise<void>;
  /** The number of pending callbacks. */
  readonly waiting: number;
}

interface Alarm {
  at: number;
  callback: () => void;
}

export function createFakeClock(start = '2026-01-01T00:00:00.000Z'): FakeClock {
  const startMs = Date.parse(start);
  const alarms = new Set<Alarm>();
  let elapsedMs = 0;

  const nextDue = (until: number): Alarm | undefined =>
    [...alarms].filter((alarm) => alarm.at <= until).sort((a, b) => a.at - b.at)[0];

  return {
    now: () => elapsedMs,
    date: () => new Date(startMs + elapsedMs),
    after(ms, callback) {
      const alarm = { at: elapsedMs + Math.max(ms, 0), callback };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    async advance(ms) {
      const until = elapsedMs + ms;
      await settle();
      for (let alarm = nextDue(until); alarm; alarm = nextDue(until)) {
        alarms.delete(alarm);
        elapsedMs = Math.max(elapsedMs, alarm.at);
        alarm.callback();
        await settle();
      }
      elapsedMs = until;
    },
    get waiting() {
      return alarms.size;
    },
  };
}

/** Waits for a round of the event loop; all promise reactions that can run have then run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
