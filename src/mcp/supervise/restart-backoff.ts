import type { Clock } from '../../clock.ts';

export interface RestartBackoffOptions {
  clock: Clock;
  /** The wait after the first failure; it doubles with each further failure. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** Maximum number of starts in the window, whatever their outcome. */
  starts: number;
  startsWindowMs: number;
  /** 0 to 1; spreads the waits so that many clients do not return at once. */
  random(): number;
}

export interface RestartBackoff {
  /** How long no start is allowed; 0 = now. */
  waitMs(): number;
  noteStart(): void;
  noteFailure(): void;
  /**
   * Records the loss of a ready server: it may be restarted at once, but only once between two successes. Repeated
   * losses count as failures, unless one user's calls cause them all.
   */
  noteLoss(culprit?: string): void;
  /** Records that the server worked: the next failure counts as the first again. */
  noteSuccess(): void;
}

/** Decides when a server may be started again: back-off with a ceiling, and a budget of starts that nothing resets. */
export function createRestartBackoff(options: RestartBackoffOptions): RestartBackoff {
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
      // A restart caused by one user's call must not use up the shared budget.
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
