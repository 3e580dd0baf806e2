import type { Clock } from '../clock.ts';
import type { AppError } from '../errors.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { modelError, tooSlow } from './model-errors.ts';
import { Stoppable } from './stoppable.ts';

export interface ModelAttempt {
  model: Model;
  request: ModelRequest;
  signal: AbortSignal;
  clock: Clock;
  /** Limit for the whole attempt, and so for its first byte and its pauses. */
  timeoutMs: number;
  onResponse?: StreamOptions['onResponse'];
}

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
    for (;;) {
      const next = await chunks.next();
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

function unfinished(model: Model): AppError {
  return modelError('model_bad_reply', {
    author: `${model.label} stopped in the middle of its reply. Please try again.`,
  });
}
