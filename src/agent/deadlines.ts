import type { Clock } from '../clock.ts';
import type { AppError } from '../errors.ts';
import type { TimeLimits } from '../schema/model-limits.ts';

/** Of 60 seconds, tool work stops at 55 and the answer is complete by 59. */
const TOOLS_SHARE = 55 / 60;
const ANSWER_SHARE = 59 / 60;

/** Less time than this counts as none; a timer may also fire slightly early. */
const SHORTEST_MS = 5;

/** The time left for each kind of work in a turn. Waiting for a human does not count as active time. */
export interface Deadlines {
  activeMs(): number;
  /** For one model reply, including its retries. */
  iterationMs(): number;
  /** For one tool call; 0 once tool work is over. A delegation may use all of it: it has limits of its own. */
  toolMs(isDelegation?: boolean): number;
  /** The same time of the answer, with the other limits of another agent. */
  withLimits(limits: Pick<TimeLimits, 'iteration' | 'tool'>): Deadlines;
  /** Stops the count until the returned function is called. Several callers may pause at once. */
  pause(): () => void;
}

export function createDeadlines(options: { clock: Clock; limits: TimeLimits; activeMs: number }): Deadlines {
  const { clock, limits } = options;
  const answerMs = limits.answer * 1000;
  let startedAt = clock.now() - options.activeMs;
  let pauses = 0;
  let pausedAt = 0;
  const activeMs = () => (pauses > 0 ? pausedAt : clock.now()) - startedAt;
  const left = (share: number) => {
    const ms = answerMs * share - activeMs();
    return ms < SHORTEST_MS ? 0 : ms;
  };
  const withLimits: Deadlines['withLimits'] = ({ iteration, tool }) => ({
    activeMs,
    iterationMs: () => Math.min(iteration * 1000, left(ANSWER_SHARE)),
    toolMs: (isDelegation) => Math.min(isDelegation ? answerMs : tool * 1000, left(TOOLS_SHARE)),
    withLimits,
    pause() {
      if (pauses++ === 0) pausedAt = clock.now();
      return () => {
        if (--pauses === 0) startedAt += clock.now() - pausedAt;
      };
    },
  });
  return withLimits(limits);
}

export interface TimedSignal {
  signal: AbortSignal;
  /** Call it when the work is over; it removes the timer and the listener. */
  dispose(): void;
}

/** Aborts with the parent's reason, or with the error of `late` once the time is over. */
export function timedSignal(options: {
  parent: AbortSignal;
  clock: Clock;
  ms: number;
  late: () => AppError;
}): TimedSignal {
  const { parent, clock, ms, late } = options;
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  parent.addEventListener('abort', follow, { once: true });
  const cancel = clock.after(ms, () => controller.abort(late()));
  return {
    signal: controller.signal,
    dispose() {
      cancel();
      parent.removeEventListener('abort', follow);
    },
  };
}
