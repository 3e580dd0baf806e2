import type { Clock } from '../clock.ts';

/** Resolves after `ms`, never if that is infinite. Rejects with the signal's reason when it aborts. */
export function waitFor(options: { ms: number; clock: Clock; signal: AbortSignal }): Promise<void> {
  const { ms, clock, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const cancel = Number.isFinite(ms) ? clock.after(ms, finish) : () => {};
    signal.addEventListener('abort', stop, { once: true });
    function finish() {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      cancel();
      reject(signal.reason);
    }
  });
}
