import type { Clock } from '../clock.ts';
import type { AppError } from '../errors.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from './model.ts';
import { modelError } from './model-errors.ts';
import { Stoppable } from './stoppable.ts';

interface AttemptLimits {
  /** Limit for the whole attempt. */
  timeoutMs: number;
  firstByteMs: number;
  gapMs: number;
}

export interface ModelAttempt {
  model: Model;
  request: ModelRequest;
  signal: AbortSignal;
  clock: Clock;
  limits: AttemptLimits;
  onResponse?: StreamOptions['onResponse'];
}

/**
 * Asks a model once and never waits longer than the limits, whatever the model does. Throws `model_timeout`, or the
 * signal's own reason when the caller stops it.
 */
export async function* askModelOnce({
  model,
  request,
  signal,
  clock,
  limits,
  onResponse,
}: ModelAttempt): AsyncGenerator<ModelChunk> {
  signal.throwIfAborted();
  const controller = new AbortController();
  let isFinished = false;
  const chunks = new Stoppable(() =>
    model.stream(request, { signal: controller.signal, onResponse, onActivity: () => watch.touch() }),
  );
  const stop = (reason: unknown) => {
    controller.abort(reason);
    chunks.stop(reason);
  };
  const stopByCaller = () => stop(signal.reason);
  signal.addEventListener('abort', stopByCaller, { once: true });
  const watch = watchSilence({ clock, limits, label: model.label, onTimeout: stop });
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done) throw unfinished(model);
      isFinished = next.value.type === 'finish';
      watch.pause();
      yield next.value;
      if (isFinished) return;
      watch.touch();
    }
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stopByCaller);
    watch.cancel();
    if (!isFinished) controller.abort(new Error('The reply is no longer wanted'));
    void chunks.return();
  }
}

function unfinished(model: Model): AppError {
  return modelError('model_bad_reply', {
    author: `${model.label} stopped in the middle of its reply. Please try again.`,
  });
}

interface Watch {
  /** The model sent something, or the caller waits again. */
  touch(): void;
  /** The caller is processing a chunk: silence is not the model's fault. */
  pause(): void;
  cancel(): void;
}

/** Uses one timer that checks the last activity when it fires, so that a chunk costs no timer. */
function watchSilence(options: {
  clock: Clock;
  limits: AttemptLimits;
  label: string;
  onTimeout: (error: AppError) => void;
}): Watch {
  const { clock, limits, label, onTimeout } = options;
  const deadline = clock.now() + limits.timeoutMs;
  let lastMs = clock.now();
  let silenceMs = limits.firstByteMs;
  let isPaused = false;
  const fail = (what: string) =>
    onTimeout(modelError('model_timeout', { author: `${label} ${what}. Please try again.` }));
  let cancel = clock.after(Math.min(limits.firstByteMs, limits.gapMs, limits.timeoutMs), look);

  function look() {
    const nowMs = clock.now();
    const silentUntil = isPaused ? nowMs + silenceMs : lastMs + silenceMs;
    if (nowMs >= deadline) return fail('did not finish its reply in time');
    if (nowMs >= silentUntil)
      return fail(
        silenceMs === limits.firstByteMs
          ? 'did not start to answer in time'
          : 'stopped sending in the middle of its reply',
      );
    cancel = clock.after(Math.min(deadline, silentUntil) - nowMs, look);
  }

  return {
    touch() {
      lastMs = clock.now();
      silenceMs = limits.gapMs;
      isPaused = false;
    },
    pause() {
      isPaused = true;
    },
    cancel: () => cancel(),
  };
}
