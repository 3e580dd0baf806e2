/** Turns that this process begins at this moment: the store may have them already, and they do not run yet. */
export interface Starting {
  /** Runs `begin`, which takes a turn in the store and starts it here. */
  starting<T>(turnId: string, begin: () => Promise<T>): Promise<T>;
  isStarting(turnId: string): boolean;
  /** Resolves when the turn, if it begins here at this moment, runs or has failed to. */
  whenStarted(turnId: string): Promise<void>;
}

export function createStarting(): Starting {
  const begins = new Map<string, Set<Promise<unknown>>>();
  return {
    async starting(turnId, begin) {
      const own = begins.get(turnId) ?? new Set();
      begins.set(turnId, own);
      const begun = begin();
      own.add(begun);
      try {
        return await begun;
      } finally {
        own.delete(begun);
        if (own.size === 0) begins.delete(turnId);
      }
    },
    isStarting: (turnId) => begins.has(turnId),
    async whenStarted(turnId) {
      await Promise.allSettled(begins.get(turnId) ?? []);
    },
  };
}
