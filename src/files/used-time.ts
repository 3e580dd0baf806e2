/** How long a job has been able to work. */
export interface UsedTime {
  ms(): number;
}

/**
 * Measures the time that this process could use: on a loaded machine a job waits for the processor, and that is not held
 * against it. Several threads use more processor time than the clock shows, and that is not held against it either.
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
