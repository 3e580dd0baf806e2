/** Reads a source until it ends or is stopped, whether or not the source heeds that. Many wait at once. */
export class Stoppable<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: AsyncIterator<T>;
  #stop: { reason: unknown } | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whoever waits now, or later, gets the reason. */
  stop(reason: unknown): void {
    this.#stop ??= { reason };
    this.#reject?.(reason);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#stop) return reject(this.#stop.reason);
      this.#reject = reject;
      this.#source.next().then(resolve, reject);
    });
  }

  /** The source is not waited for: one that heeds nothing would hold us here. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#source.return?.().then(undefined, () => {});
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
