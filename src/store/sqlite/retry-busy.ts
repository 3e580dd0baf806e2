import { isBusy } from './store-error.ts';

const MAX_WAIT_MS = 16;

/**
 * Retries `action` while another process holds the lock, for at most `forMs`; blocks this thread meanwhile. SQLite's
 * own busy timeout does not cover every case (a switch to WAL) and its waits are too long.
 */
export function retryBusy<T>(forMs: number, action: () => T): T {
  const end = performance.now() + forMs;
  while (true) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
      sleep(5 + Math.random() * 20);
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Like retryBusy, without blocking the event loop. Other processes usually hold the lock for less than a millisecond.
 */
export async function retryBusyLater<T>(forMs: number, action: () => T): Promise<T> {
  const end = performance.now() + forMs;
  for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
}
