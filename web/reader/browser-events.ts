import type { Visibility } from './follow-events.ts';

const LONG_HIDDEN_MS = 20_000;

/** Ends early when the network comes back or the page is left. */
export function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

export const tabVisibility: Visibility = {
  onLongHidden(pause) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(pause, LONG_HIDDEN_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
    };
  },
  whenVisible(signal) {
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
      const check = () => {
        if (document.hidden && !signal.aborted) return;
        document.removeEventListener('visibilitychange', check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      document.addEventListener('visibilitychange', check);
      signal.addEventListener('abort', check);
    });
  },
};
