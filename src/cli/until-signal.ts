const KILLED = 130;

/** Resolves on the first SIGINT or SIGTERM, which requests an orderly end; the second exits at once. */
export function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  const stop = () => {
    if (asked) process.exit(KILLED);
    asked = true;
    resolve();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return promise;
}
