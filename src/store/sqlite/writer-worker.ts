import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createCommitGroup } from './commit-group.ts';
import { growLog } from './grow-log.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open.ts';
import type { FromWorker, ToWorker, WriterOptions } from './writer.ts';

/** Later than what a start itself has to write. */
const GROW_AFTER_MS = 1_000;

if (!parentPort) throw new Error('writer-worker.ts runs as a worker thread');
const port = parentPort;
// The cast: createWriter is the only one who starts this file, with these options.
const { path, runner, busyTimeoutMs } = workerData as WriterOptions;
const database = openDatabase({ path, migrations: MIGRATIONS, busyTimeoutMs });
const commitGroup = createCommitGroup(database, { runner, waitMs: 4 * busyTimeoutMs });
const growing = setTimeout(() => growLog(database, path), GROW_AFTER_MS);

port.on('message', (first: ToWorker) => {
  const messages = [first, ...drain()];
  const submitted = messages.flatMap((message) => (message === 'close' ? [] : message));
  if (submitted.length > 0) {
    const outcomes = commitGroup(submitted.map(({ operation }) => operation));
    const answer: FromWorker = outcomes.map((outcome, index) => ({ id: submitted[index]?.id ?? 0, outcome }));
    port.postMessage(answer);
  }
  if (messages.includes('close')) {
    clearTimeout(growing);
    database.close();
    port.close();
  }
});

/** What came in while the last group was on its way to the disk. */
function drain(): ToWorker[] {
  const messages: ToWorker[] = [];
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) messages.push(next.message);
  return messages;
}
