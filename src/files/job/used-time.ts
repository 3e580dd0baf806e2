/** The time that a job has been able to work. */
export interface UsedTime {
  ms(): number;
}

/**
 * Measures the time available to this process. On a loaded machine a job waits for the processor, which does not count.
 * Several threads use more processor time than wall-clock time, which does not count either.
 */
export function startUsedTime(): UsedTime {
  const started = performance.now();
  const before = process.cpuUsage();
  return {
    ms() {
      const { user, system } = process.cpuUsage(before);
      return Math.min(performance.now() - started, (user + system) / 1000);
    },
  };
}
