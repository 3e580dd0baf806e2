import type { Clock } from '../clock.ts';

export interface GateOptions {
  clock: Clock;
  /** The wait after the first failure; doubles with each one after it. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** At most so many starts in the window, whatever comes of them. */
  starts: number;
  startsWindowMs: number;
  /** 0 to 1; spreads the waits so that many clients do not come back at once. */
  random(): number;
}

export interface Gate {
  /** How long no start is allowed; 0 = now. */
  waitMs(): number;
  noteStart(): void;
  noteFailure(): void;
  /**
   * A server that was ready is lost: it may be started again at once, but only once between two successes. Losses in a
   * row speak against the server, unless one user's calls cause them all.
   */
  noteLoss(culprit?: string): void;
  /** The server did what it is for: the next failure is a first one again. */
  noteSuccess(): void;
}

/** Decides when a server may be tried again: back-off with a ceiling, and a budget of starts that nothing resets. */
export function createGate(options: GateOptions): Gate {
  const { clock, firstWaitMs, longestWaitMs, random } = options;
  let failures = 0;
  let closedUntil = 0;
  let canRestart = true;
  let culprit: string | undefined;
  let starts: number[] = [];
  const budgetWaitMs = (now: number): number => {
    starts = starts.filter((at) => at > now - options.startsWindowMs);
    const oldest = starts.at(-options.starts);
    return oldest === undefined ? 0 : oldest + options.startsWindowMs - now;
  };
  const noteFailure = () => {
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
    failures++;
    culprit = undefined;
    closedUntil = clock.now() + wait * (0.75 + random() / 4);
  };
  return {
    waitMs() {
      const now = clock.now();
      return Math.max(0, closedUntil - now, budgetWaitMs(now));
    },
    noteStart() {
      // A start that one user's call made necessary must not use up the budget of everybody.
      if (culprit === undefined) starts.push(clock.now());
    },
    noteFailure,
    noteLoss(next) {
      const isRepeated = next !== undefined && next === culprit;
      if (!canRestart && !isRepeated) noteFailure();
      canRestart = false;
      culprit = next;
    },
    noteSuccess() {
      canRestart = true;
      failures = 0;
      closedUntil = 0;
    },
  };
}
