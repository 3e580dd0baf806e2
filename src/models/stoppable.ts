/**
 * Reads a source until it ends or is stopped, whether or not the source heeds that. A class, because one is open for as
 * long as a reply takes, and a generator would hold several times as much.
 */
export class Stoppable<T> implements AsyncIterableIterator<T, undefined> {
  readonly #open: () => AsyncIterable<T>;
  #source: AsyncIterator<T> | undefined;
  #stop: { reason: unknown } | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  /** `open` is called with the first `next`; what it throws is that one's rejection. */
  constructor(open: () => AsyncIterable<T>) {
    this.#open = open;
  }

  /** Whoever waits now, or asks later, gets the reason; the source is let go. */
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

  /** The source is not waited for: one that heeds nothing would hold us here. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#source?.return?.().then(undefined, () => {});
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
