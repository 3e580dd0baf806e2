import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { LoopConfig } from '../schema/agent.ts';

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
  /** For one tool call; 0 once tool work is over. */
  toolMs(): number;
  /** Stops the count until the returned function is called. Several callers may pause at once. */
  pause(): () => void;
}

export function createDeadlines(options: { clock: Clock; loop: LoopConfig; activeMs: number }): Deadlines {
  const { clock, loop } = options;
  const answerMs = loop.answer_timeout_seconds * 1000;
  let startedAt = clock.now() - options.activeMs;
  let pauses = 0;
  let pausedAt = 0;
  const activeMs = () => (pauses > 0 ? pausedAt : clock.now()) - startedAt;
  const left = (share: number) => {
    const ms = answerMs * share - activeMs();
    return ms < SHORTEST_MS ? 0 : ms;
  };
  return {
    activeMs,
    iterationMs: () => Math.min(loop.iteration_timeout_seconds * 1000, left(ANSWER_SHARE)),
    toolMs: () => Math.min(loop.tool_timeout_seconds * 1000, left(TOOLS_SHARE)),
    pause() {
      if (pauses++ === 0) pausedAt = clock.now();
      return () => {
        if (--pauses === 0) startedAt += clock.now() - pausedAt;
      };
    },
  };
}

export interface TimedSignal {
  signal: AbortSignal;
  /** Call it when the work is over; it removes the timer and the listener. */
  dispose(): void;
}

/** Aborts with the parent's reason, or with `code` once the time is over. */
export function timedSignal(options: {
  parent: AbortSignal;
  clock: Clock;
  ms: number;
  code: 'model_timeout' | 'answer_timeout';
}): TimedSignal {
  const { parent, clock, ms, code } = options;
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  parent.addEventListener('abort', follow, { once: true });
  const cancel = clock.after(ms, () =>
    controller.abort(new AppError(code, { detail: 'The model took too long to answer. Please try again.' })),
  );
  return {
    signal: controller.signal,
    dispose() {
      cancel();
      parent.removeEventListener('abort', follow);
    },
  };
}
