import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** How long the write that begins the log anew waits for other processes; without it the log is only longer. */
const WAIT_MS = 100;

// The cast: createCheckpoints is the only one who starts this file, with the database's path.
const database = new DatabaseSync(workerData as string, { timeout: WAIT_MS });
database.exec('PRAGMA synchronous = FULL');
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const write = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpoint', ?)");

parentPort?.on('message', () => parentPort?.postMessage(foldLogBack()));

/** Whether the log's end was reached. What cannot be done now (the disk is full, say) is tried again later. */
function foldLogBack(): boolean {
  try {
    const counts = checkpoint.get();
    if (counts?.log !== counts?.checkpointed) return false;
    // The first write after a whole checkpoint begins the log anew, and waits for the disk: here nobody waits with it.
    write.run(new Date().toISOString());
    return true;
  } catch {
    return false;
  }
}
