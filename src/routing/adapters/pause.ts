import type { Clock } from '../../clock.ts';

/** Waits `ms`; rejects with the signal's reason when it aborts. */
export function pause(ms: number, { clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
