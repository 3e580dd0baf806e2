/** Groups whose way to the disk may overlap; what comes meanwhile waits and goes together. */
const MAX_UNDER_WAY = 2;

/** Collects what belongs into one group. */
export interface GroupQueue<T> {
  add(item: T): void;
  /** Resolves when everything that was added before is through. */
  drain(): Promise<void>;
}

/** One alone is run at once; under load, what one round of the event loop adds is run together. `run` never rejects. */
export function createGroupQueue<T>(run: (group: readonly T[]) => Promise<void>): GroupQueue<T> {
  let queue: T[] = [];
  let isScheduled = false;
  const underWay = new Set<Promise<void>>();

  function schedule(): void {
    if (isScheduled || queue.length === 0 || underWay.size >= MAX_UNDER_WAY) return;
    isScheduled = true;
    if (underWay.size === 0) queueMicrotask(start);
    else setImmediate(start);
  }

  function start(): void {
    isScheduled = false;
    if (queue.length === 0) return;
    const group = queue;
    queue = [];
    const done = run(group).then(() => {
      underWay.delete(done);
      schedule();
    });
    underWay.add(done);
  }

  return {
    add(item) {
      queue.push(item);
      schedule();
    },
    async drain() {
      start();
      await Promise.all(underWay);
    },
  };
}
