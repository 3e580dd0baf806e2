import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isBusy } from './store-error.ts';

/** How long the write that begins the log anew waits for other processes; without it the log is only longer. */
const WAIT_MS = 100;

// The cast: createCheckpoints is the only one who starts this file, with the database's path.
const database = new DatabaseSync(workerData as string, { timeout: WAIT_MS });
database.exec('PRAGMA synchronous = FULL');
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const write = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpoint', ?)");

parentPort?.on('message', () => {
  const counts = checkpoint.get();
  const isWhole = counts?.log === counts?.checkpointed;
  if (isWhole) beginLogAnew();
  parentPort?.postMessage(isWhole);
});

/** The first write after a whole checkpoint does so, and waits for the disk: here nobody waits with it. */
function beginLogAnew(): void {
  try {
    write.run(new Date().toISOString());
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
