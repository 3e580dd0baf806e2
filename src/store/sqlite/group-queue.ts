/** Collects what belongs into one group. */
export interface GroupQueue<T> {
  add(item: T): void;
  /** Resolves when everything that was added before is through. */
  drain(): Promise<void>;
}

export interface GroupQueueOptions<T> {
  /** Runs one group after the other; never rejects. */
  run(group: readonly T[]): Promise<void>;
  weigh(item: T): number;
  /** A group takes no more when it has this weight, so that none lasts long. */
  maxWeight: number;
}

/** One alone is run at once; what comes while a group is run, goes together. */
export function createGroupQueue<T>({ run, weigh, maxWeight }: GroupQueueOptions<T>): GroupQueue<T> {
  const queue: T[] = [];
  let running: Promise<void> | undefined;

  function takeGroup(): T[] {
    let weight = 0;
    const end = queue.findIndex((item) => {
      // An item that goes with a later group is not weighed yet: to weigh one may cost memory.
      if (weight >= maxWeight) return true;
      weight += weigh(item);
      return false;
    });
    return queue.splice(0, end === -1 ? queue.length : end);
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) await run(takeGroup());
    running = undefined;
  }

  return {
    add(item) {
      queue.push(item);
      // What the same moment adds belongs to the first group.
      running ??= Promise.resolve().then(runAll);
    },
    drain: async () => running,
  };
}
