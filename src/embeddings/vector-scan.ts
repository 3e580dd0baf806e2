import { once } from 'node:events';
import { extname } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Rows } from './quantize.ts';

export interface ToScan {
  rows?: Rows;
  question?: { query: Float32Array; count: number; allowed?: Uint8Array | undefined; port: MessagePort };
}

export interface Near {
  row: number;
  cosine: number;
}

/** Compares a question with every row, in a thread: the event loop stays free. */
export interface VectorScan {
  /** Replaces the rows. */
  load(rows: Rows): void;
  /** The nearest rows, best first. Rows whose byte in `allowed` is 0 are never compared. */
  find(query: Float32Array, count: number, options: { allowed?: Uint8Array; signal: AbortSignal }): Promise<Near[]>;
  close(): void;
}

/** The thread starts with the first rows and does not keep the process alive. If it ends, `find` waits for its signal. */
export function createVectorScan(): VectorScan {
  let worker: Worker | undefined;
  const send = (message: ToScan, ports: MessagePort[] = []) => {
    const file = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);
    worker ??= new Worker(file, { env: {}, execArgv: [] }).on('exit', close).on('error', close);
    worker.unref();
    worker.postMessage(message, ports);
  };
  const close = () => {
    void worker?.terminate();
    worker = undefined;
  };
  return {
    load: (rows) => send({ rows }),
    async find(query, count, { allowed, signal }) {
      const { port1, port2 } = new MessageChannel();
      try {
        send({ question: { query, count, allowed, port: port2 } }, [port2]);
        const [near] = await once(port1, 'message', { signal });
        return near;
      } finally {
        port1.close();
      }
    },
    close,
  };
}
