import type { Clock } from '../clock.ts';

/** The promise's value, or a rejection as soon as the signal aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits for the promise, but no longer than `waitMs` and not after the signal aborts. Never rejects. */
export async function waitAtMost(
  promise: Promise<unknown>,
  options: { waitMs: number; signal: AbortSignal; clock: Clock },
): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const cancel = options.clock.after(options.waitMs, resolve);
  await untilAborted(Promise.race([promise, tooLong]), options.signal).catch(() => {});
  cancel();
}
