import type { Readable } from 'node:stream';

export interface StreamReader<Piece> {
  /** All that is there, waiting for some if there is nothing; undefined at the end. Rejects when the stream breaks. */
  next(): Promise<Piece | undefined>;
  /** Ends the reading where it stands. */
  stop(): void;
}

/** Reads text at the pace of the caller; characters that were cut in two arrive whole. */
export function createTextReader(stream: Readable, signal: AbortSignal): StreamReader<string> {
  return createReader(stream.setEncoding('utf8'), signal);
}

/** Reads bytes at the pace of the caller. */
export function createByteReader(stream: Readable, signal: AbortSignal): StreamReader<Buffer> {
  return createReader(stream, signal);
}

function createReader<Piece>(stream: Readable, signal: AbortSignal): StreamReader<Piece> {
  let wake = () => {};
  let isEnded = false;
  let failure: { error: unknown } | undefined;
  const end = () => {
    isEnded = true;
    wake();
  };
  const fail = (error: unknown) => {
    failure ??= { error };
    end();
  };
  const abort = () => fail(signal.reason);
  stream.on('readable', () => wake());
  stream.on('end', end);
  stream.on('error', fail);
  stream.on('close', () => {
    signal.removeEventListener('abort', abort);
    end();
  });
  signal.addEventListener('abort', abort, { once: true });

  async function next(): Promise<Piece | undefined> {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const piece: Piece | null = stream.read();
      if (piece !== null) return piece;
      if (failure) throw failure.error;
      if (isEnded) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return { next, stop: end };
}
