import type { Clock } from '../clock.ts';
import type { AppError } from '../errors.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { modelError, tooSlow } from './model-errors.ts';
import { Stoppable } from './stoppable.ts';
import { waitFor } from './wait.ts';

export interface ModelAttempt {
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
export async function* askModelOnce({
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
