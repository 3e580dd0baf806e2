import { type Clock, systemClock } from '../clock.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { modelError, tooSlow } from './model-errors.ts';
import { Stoppable } from './stoppable.ts';
import { waitFor } from './wait.ts';

export interface RetryOptions {
  /** Limit for a single attempt, and so for its first byte and its pauses. */
  timeoutMs: number;
  /** Whether a server may have to load the model before its first reply. */
  mayLoad?: boolean;
  /** Asked when the model has failed; at least a third of the time is reserved for it. */
  fallback?: Omit<Target, 'deadline'> | undefined;
  clock?: Clock;
  /** Returns 0 to 1, for the jitter. */
  random?: () => number;
}

const MAX_TRIES = 3;
const BACK_OFF_MS = 500;
/** Another try needs at least this much time. */
const SHORTEST_TRY_MS = 1_000;
/** For callers without a deadline: the least time of an iteration. */
const LEAST_REMAINING_MS = 30_000;
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
  /** Models that have replied before. */
  replied: Set<Model>;
  /** True once a chunk was sent: from then on nothing is repeated. */
  hasSent: boolean;
}

/**
 * Asks a model up to three times, then its fallback, within the caller's deadline. Nothing is asked again after a chunk
 * was sent. `notice` chunks inform the user about retries.
 */
export function createRetryingModel(model: Model, options: RetryOptions): Model {
  const { clock = systemClock, timeoutMs, mayLoad = false, fallback } = options;
  const replied = new Set<Model>();
  const usualMs = Math.max(LEAST_REMAINING_MS, timeoutMs, fallback?.timeoutMs ?? 0);
  return {
    label: model.label,
    stream(request, { signal, remainingMs = usualMs, onResponse }: StreamOptions) {
      const run: Run = { request, signal, onResponse, clock, options, replied, hasSent: false };
      const target = { model, timeoutMs, mayLoad, deadline: clock.now() + remainingMs };
      if (!fallback) return tryModel(run, target);
      // A slow fallback gets its whole attempt if one attempt of the model still fits before it.
      const fallbackMs = Math.max(remainingMs / 3, Math.min(fallback.timeoutMs, remainingMs - timeoutMs));
      return tryBoth(run, { target, fallback, fallbackMs });
    },
  };
}

interface Target {
  model: Model;
  timeoutMs: number;
  mayLoad?: boolean;
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
  const { request, signal, clock, onResponse } = run;
  let lastTry = MAX_TRIES;
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(target.timeoutMs, target.deadline - clock.now());
    const { model } = target;
    const mayLoad = target.mayLoad === true && !run.replied.has(model);
    try {
      for await (const chunk of askModelOnce({ model, request, signal, clock, timeoutMs, onResponse, mayLoad })) {
        if (chunk.type !== 'notice') run.replied.add(model);
        run.hasSent ||= chunk.type !== 'notice' && chunk.type !== 'call-part';
        yield chunk;
      }
      return;
    } catch (error) {
      if (isSlow(error)) lastTry = Math.min(lastTry, tries + 1);
      const waitMs = tries < lastTry ? planRetry(run, { error, tries, target }) : undefined;
      if (waitMs === undefined) throw error;
      yield { type: 'notice', text: describeRetry(error, { waitMs, next: tries + 1, lastTry }) };
      await waitFor({ ms: waitMs, clock, signal });
    }
  }
}

/** A model that was too slow is asked at most once more: every attempt is paid. */
function isSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === 'model_timeout';
}

/** The wait before the next try; undefined if there is none. After a slow try there must be time for a whole one. */
function planRetry(run: Run, { error, tries, target }: { error: unknown; tries: number; target: Target }) {
  if (run.signal.aborted || run.hasSent) return undefined;
  if (!(error instanceof AppError) || !WORTH_RETRYING.includes(error.code)) return undefined;
  const { random = Math.random } = run.options;
  const backOffMs = BACK_OFF_MS * 2 ** (tries - 1) * (0.5 + random() / 2);
  const waitMs = Math.max(backOffMs, (error.retryAfterSeconds ?? 0) * 1000);
  const neededMs = isSlow(error) ? target.timeoutMs : SHORTEST_TRY_MS;
  return run.clock.now() + waitMs + neededMs <= target.deadline ? waitMs : undefined;
}

function describeRetry(error: unknown, plan: { waitMs: number; next: number; lastTry: number }): string {
  const { waitMs, next, lastTry } = plan;
  const title = error instanceof AppError ? error.title : 'The model failed';
  const when = waitMs >= 1_000 ? ` in ${Math.ceil(waitMs / 1000)} s` : '';
  return `${title}. Trying again${when} (${next} of ${lastTry}).`;
}

interface ModelAttempt {
  model: Model;
  request: ModelRequest;
  signal: AbortSignal;
  clock: Clock;
  /** Limit for the whole attempt, and so for its first byte and its pauses. */
  timeoutMs: number;
  onResponse?: StreamOptions['onResponse'];
  /** True for a model that its server may have to load first: a notice explains a long silence. */
  mayLoad?: boolean;
}

const SILENCE_MS = 5_000;

/**
 * Asks a model once and never waits longer than the limit, whatever the model does. Throws `model_timeout`, or the
 * signal's own reason when the caller stops it.
 */
async function* askModelOnce({
  model,
  request,
  signal,
  clock,
  timeoutMs,
  onResponse,
  mayLoad,
}: ModelAttempt): AsyncGenerator<ModelChunk> {
  signal.throwIfAborted();
  const controller = new AbortController();
  let isBegun = false;
  let isFinished = false;
  const chunks = new Stoppable(() => model.stream(request, { signal: controller.signal, onResponse }));
  const stop = (reason: unknown) => {
    controller.abort(reason);
    chunks.stop(reason);
  };
  const stopByCaller = () => stop(signal.reason);
  signal.addEventListener('abort', stopByCaller, { once: true });
  const cancel = clock.after(timeoutMs, () => stop(tooSlow({ label: model.label, ms: timeoutMs, isBegun })));
  try {
    const first = chunks.next();
    if (mayLoad && (await isSilent(first, clock))) yield { type: 'notice', text: loadingText(model, timeoutMs) };
    for (;;) {
      const next = await (isBegun ? chunks.next() : first);
      if (next.done) throw unfinished(model);
      isBegun = true;
      isFinished = next.value.type === 'finish';
      yield next.value;
      if (isFinished) return;
    }
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stopByCaller);
    cancel();
    if (!isFinished) controller.abort(new Error('The reply is no longer wanted'));
    void chunks.return();
  }
}

/** True after the silence; false if the first chunk, or an error, comes before. */
function isSilent(first: Promise<unknown>, clock: Clock): Promise<boolean> {
  const heard = new AbortController();
  void first.catch(() => {}).then(() => heard.abort());
  const silence = waitFor({ ms: SILENCE_MS, clock, signal: heard.signal });
  return silence.then(() => true).catch(() => false);
}

function loadingText({ label }: Model, timeoutMs: number): string {
  return `${label} has not answered for 5 s: its server may be loading the model. The wait ends after ${Math.round(timeoutMs / 1000)} s.`;
}

function unfinished(model: Model): AppError {
  return modelError('model_bad_reply', {
    author: `${model.label} stopped in the middle of its reply. Please try again.`,
  });
}
