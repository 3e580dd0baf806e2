import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Pass } from './checkpoints.ts';
import { DURABLE } from './open.ts';

/** How long readers of older states and other processes are waited for; meanwhile writers may wait for this thread. */
const WAIT_MS = 5;

// The cast: createCheckpoints is the only one who starts this file, with the database's path.
const database = new DatabaseSync(workerData as string, { timeout: WAIT_MS });
database.exec(DURABLE);
const beside = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
/** Keeps other processes from writing, too. */
const alone = database.prepare('PRAGMA wal_checkpoint(FULL)');
const write = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpoint', ?)");

parentPort?.on('message', (pass: Pass) => parentPort?.postMessage(foldLogBack(pass)));

/** Whether the log has begun anew. What cannot be done now (the disk is full, say) is tried again later. */
function foldLogBack(pass: Pass): boolean {
  try {
    const before = Number((pass === 'alone' ? alone : beside).get()?.log);
    // The first write after a whole checkpoint begins the log anew, and waits for the disk: here nobody waits with it.
    write.run(new Date().toISOString());
    return Number(beside.get()?.log) < before;
  } catch {
    return false;
  }
}
