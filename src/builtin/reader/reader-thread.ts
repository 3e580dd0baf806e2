import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Reading } from './reading.ts';

export interface ToWorker {
  id: number;
  text: string;
  titles: readonly string[];
}

interface FromWorker {
  id: number;
  reading?: Reading;
}

/** Reads messages without keeping the event loop busy. Undefined for a message that is too long to be read whole. */
export interface ReaderThread {
  read(text: string, titles: readonly string[]): Promise<Reading | undefined>;
}

/** Readings that are kept: the calls of one turn ask for the same ones. */
const MAX_KEPT = 50;

/** Starts the thread with the first message. It does not keep the process alive, and is started again if it ends. */
export function createReaderThread(): ReaderThread {
  const kept = new Map<string, Promise<Reading | undefined>>();
  let open: Thread | undefined;
  return {
    read(text, titles) {
      const key = JSON.stringify([text, titles]);
      const known = kept.get(key);
      if (known) return known;
      if (!open || open.hasEnded) open = startThread();
      const reading = open.read(text, titles);
      reading.catch(() => kept.delete(key));
      kept.set(key, reading);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return reading;
    },
  };
}

interface Thread extends ReaderThread {
  readonly hasEnded: boolean;
}

function startThread(): Thread {
  const worker = new Worker(new URL(`./reader-worker${extname(import.meta.url)}`, import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 },
  });
  const waiting = new Map<number, PromiseWithResolvers<Reading | undefined>>();
  let hasEnded = false;
  let last = 0;
  const end = (error: Error) => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const release = () => {
    if (waiting.size === 0) worker.unref();
  };
  worker.on('message', ({ id, reading }: FromWorker) => {
    waiting.get(id)?.resolve(reading);
    waiting.delete(id);
    release();
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread of the reader has ended')));
  worker.unref();
  return {
    get hasEnded() {
      return hasEnded;
    },
    read(text, titles) {
      const asked = Promise.withResolvers<Reading | undefined>();
      waiting.set(++last, asked);
      worker.ref();
      worker.postMessage({ id: last, text, titles } satisfies ToWorker);
      return asked.promise;
    },
  };
}
