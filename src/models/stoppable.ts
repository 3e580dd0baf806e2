/**
 * Reads a source until it ends or is stopped, even if the source ignores the stop. It is a class because an instance
 * lives as long as a reply, and a generator would need several times the memory.
 */
export class Stoppable<T> implements AsyncIterableIterator<T, undefined> {
  readonly #open: () => AsyncIterable<T>;
  #source: AsyncIterator<T> | undefined;
  #stop: { reason: unknown } | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  /** The first `next` calls `open`. If `open` throws, that `next` rejects. */
  constructor(open: () => AsyncIterable<T>) {
    this.#open = open;
  }

  /** Rejects the current and all later reads with the reason, and releases the source. */
  stop(reason: unknown): void {
    this.#stop ??= { reason };
    this.#reject?.(reason);
    void this.return();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#stop) return reject(this.#stop.reason);
      this.#reject = reject;
      this.#source ??= this.#open()[Symbol.asyncIterator]();
      this.#source.next().then(resolve, reject);
    });
  }

  /** Does not wait for the source: a source that ignores `return` would block us. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#source?.return?.().then(undefined, () => {});
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
