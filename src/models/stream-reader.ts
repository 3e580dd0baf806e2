import type { Readable } from 'node:stream';

/** Reads text at the caller's pace. Characters that were cut in two arrive whole. */
export function createTextReader(stream: Readable, signal: AbortSignal): StreamReader<string> {
  return new StreamReader(stream.setEncoding('utf8'), signal);
}

/** Reads bytes at the caller's pace. */
export function createByteReader(stream: Readable, signal: AbortSignal): StreamReader<Buffer> {
  return new StreamReader(stream, signal);
}

interface Waiting<Piece> {
  resolve(piece: Piece | undefined): void;
  reject(reason: unknown): void;
}

/** Reads a stream piece by piece. Call `next` only after the previous one has resolved. */
export class StreamReader<Piece> {
  readonly #stream: Readable;
  readonly #signal: AbortSignal;
  #waiting: Waiting<Piece> | undefined;
  #isEnded = false;
  #failure: { error: unknown } | undefined;

  constructor(stream: Readable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
    const abort = () => this.#fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stream.on('readable', () => this.#answer());
    stream.on('end', () => this.stop());
    stream.on('error', (error) => this.#fail(error));
    stream.on('close', () => {
      signal.removeEventListener('abort', abort);
      this.stop();
    });
  }

  /** Returns everything available and waits if there is nothing; undefined at the end. Rejects if the stream breaks. */
  next(): Promise<Piece | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#answer();
    });
  }

  /** Ends the reading at once. */
  stop(): void {
    this.#isEnded = true;
    this.#answer();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  #answer(): void {
    if (!this.#waiting) return;
    const { resolve, reject } = this.#waiting;
    const piece: Piece | null = this.#signal.aborted ? null : this.#stream.read();
    if (piece === null && !this.#signal.aborted && !this.#isEnded) return;
    this.#waiting = undefined;
    if (this.#signal.aborted) reject(this.#signal.reason);
    else if (piece !== null) resolve(piece);
    else if (this.#failure) reject(this.#failure.error);
    else resolve(undefined);
  }
}
