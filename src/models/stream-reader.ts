import type { Readable } from 'node:stream';

export interface TextReader {
  /** All the text that is there, waiting for some if there is none; nothing at the end. Rejects when the stream breaks. */
  next(): Promise<string | undefined>;
  /** Ends the reading where it stands. */
  stop(): void;
}

/** Reads a stream of text at the pace of the caller; text that piled up meanwhile comes as one piece. */
export function createTextReader(stream: Readable, signal: AbortSignal): TextReader {
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
  stream.on('readable', () => wake());
  stream.once('end', end);
  stream.once('error', fail);
  stream.once('close', () => {
    signal.removeEventListener('abort', abort);
    end();
  });
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });

  async function next(): Promise<string | undefined> {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const piece: string | null = stream.read();
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
