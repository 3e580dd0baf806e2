import { parentPort } from 'node:worker_threads';
import { createReader, readFiles } from './reader.ts';
import type { ToWorker } from './reader-thread.ts';

/** Reads messages in a thread of its own: a reading takes longer than other requests should wait. */
const reader = createReader(readFiles());
parentPort?.on('message', ({ id, text, titles }: ToWorker) => {
  parentPort?.postMessage({ id, reading: reader.read(text, titles) });
});
