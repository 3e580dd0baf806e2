import { type Clock, systemClock } from '../clock.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { askModelOnce } from './ask-model-once.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { waitFor } from './wait.ts';

export interface RetryOptions {
  /** Limit for a single attempt. */
  timeoutMs: number;
  /** Asked when the model has failed; a third of the time is reserved for it. */
  fallback?: { model: Model; timeoutMs: number } | undefined;
  clock?: Clock;
  /** Returns 0 to 1, for the jitter. */
  random?: () => number;
  firstByteMs?: number;
  gapMs?: number;
}

const MAX_TRIES = 3;
const FIRST_BYTE_MS = 10_000;
const GAP_MS = 15_000;
const BACK_OFF_MS = 500;
/** Another try needs at least this much time. */
const SHORTEST_TRY_MS = 1_000;
/** For callers without a deadline: the default of an iteration. */
const DEFAULT_REMAINING_MS = 30_000;
const WORTH_RETRYING: readonly ErrorCode[] = [
  'model_unavailable',
  'model_rate_limited',
  'model_bad_reply',
  'model_timeout',
];

interface Run {
  request: ModelRequest;
  signal: AbortSignal;
  onResponse: StreamOptions['onResponse'];
  clock: Clock;
  options: RetryOptions;
  /** True once a chunk was sent: from then on nothing is repeated. */
  hasSent: boolean;
}

/**
 * Asks a model up to three times, then its fallback, within the caller's deadline. Nothing is asked again after a chunk
 * was sent. `notice` chunks inform the user about retries.
 */
export function createRetryingModel(model: Model, options: RetryOptions): Model {
  const { clock = systemClock } = options;
  return {
    label: model.label,
    stream(request, { signal, remainingMs = DEFAULT_REMAINING_MS, onResponse }: StreamOptions) {
      const run: Run = { request, signal, onResponse, clock, options, hasSent: false };
      const target = { model, timeoutMs: options.timeoutMs, deadline: clock.now() + remainingMs };
      if (!options.fallback) return tryModel(run, target);
      return tryBoth(run, { target, fallback: options.fallback, fallbackMs: remainingMs / 3 });
    },
  };
}

interface Target {
  model: Model;
  timeoutMs: number;
  deadline: number;
}

async function* tryBoth(
  run: Run,
  { target, fallback, fallbackMs }: { target: Target; fallback: Omit<Target, 'deadline'>; fallbackMs: number },
): AsyncGenerator<ModelChunk> {
  const { deadline } = target;
  try {
    yield* tryModel(run, { ...target, deadline: deadline - fallbackMs });
  } catch (error) {
    if (!canFallBack(run, error)) throw error;
    yield { type: 'notice', text: `${error.title}. Continuing with the fallback model ${fallback.model.label}.` };
    yield* tryFallback(run, { ...fallback, deadline, error });
  }
}

function canFallBack(run: Run, error: unknown): error is AppError {
  return !run.signal.aborted && !run.hasSent && error instanceof AppError && error.code !== 'context_too_long';
}

async function* tryFallback(run: Run, fallback: Target & { error: AppError }): AsyncGenerator<ModelChunk> {
  try {
    yield* tryModel(run, fallback);
  } catch (error) {
    if (!canFallBack(run, error)) throw error;
    const author = `${authorText(fallback.error)} The fallback model failed too: ${authorText(error)}`;
    const cause = new AggregateError([fallback.error, error]);
    throw new AppError(error.code, { detail: error.message, author, cause });
  }
}

function authorText(error: AppError): string {
  return error.author ?? error.message;
}

async function* tryModel(run: Run, target: Target): AsyncGenerator<ModelChunk> {
  const { request, signal, clock, options } = run;
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(target.timeoutMs, target.deadline - clock.now());
    const limits = { timeoutMs, firstByteMs: options.firstByteMs ?? FIRST_BYTE_MS, gapMs: options.gapMs ?? GAP_MS };
    try {
      for await (const chunk of askModelOnce({
        model: target.model,
        request,
        signal,
        clock,
        limits,
        onResponse: run.onResponse,
      })) {
        run.hasSent ||= chunk.type !== 'notice' && chunk.type !== 'call-part';
        yield chunk;
      }
      return;
    } catch (error) {
      const waitMs = planRetry(run, { error, tries, deadline: target.deadline });
      if (waitMs === undefined) throw error;
      yield { type: 'notice', text: describeRetry(error, { waitMs, tries }) };
      await waitFor({ ms: waitMs, clock, signal });
    }
  }
}

/** The wait before the next try; undefined if there is none. */
function planRetry(run: Run, { error, tries, deadline }: { error: unknown; tries: number; deadline: number }) {
  if (run.signal.aborted || run.hasSent || tries >= MAX_TRIES) return undefined;
  if (!(error instanceof AppError) || !WORTH_RETRYING.includes(error.code)) return undefined;
  const { random = Math.random } = run.options;
  const backOffMs = BACK_OFF_MS * 2 ** (tries - 1) * (0.5 + random() / 2);
  const waitMs = Math.max(backOffMs, (error.retryAfterSeconds ?? 0) * 1000);
  return run.clock.now() + waitMs + SHORTEST_TRY_MS <= deadline ? waitMs : undefined;
}

function describeRetry(error: unknown, { waitMs, tries }: { waitMs: number; tries: number }): string {
  const title = error instanceof AppError ? error.title : 'The model failed';
  const when = waitMs >= 1_000 ? ` in ${Math.ceil(waitMs / 1000)} s` : '';
  return `${title}. Trying again${when} (${tries + 1} of ${MAX_TRIES}).`;
}
