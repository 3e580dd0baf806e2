/** Collects items into groups. */
export interface GroupQueue<T> {
  add(item: T): void;
  /** Resolves when everything added before is done. */
  drain(): Promise<void>;
}

export interface GroupQueueOptions<T> {
  /** Runs one group after the other; must never reject. */
  run(group: readonly T[]): Promise<void>;
  weigh(item: T): number;
  /** A group is closed at this weight, so that none takes long. */
  maxWeight: number;
}

/** A single item runs at once; items that arrive while a group runs form the next group. */
export function createGroupQueue<T>({ run, weigh, maxWeight }: GroupQueueOptions<T>): GroupQueue<T> {
  const queue: T[] = [];
  let running: Promise<void> | undefined;

  function takeGroup(): T[] {
    let weight = 0;
    const end = queue.findIndex((item) => {
      // Items of later groups are not weighed yet, because weighing may cost memory.
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
      // Items added in the same tick belong to the first group.
      running ??= Promise.resolve().then(runAll);
    },
    drain: async () => running,
  };
}
