import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Pass } from './checkpoints.ts';
import { DURABLE } from './open.ts';

/**
 * How long a checkpoint waits for readers of older states and for other processes; writers may wait for it meanwhile.
 */
const WAIT_MS = 5;

// The cast is safe: only createCheckpoints starts this file, with the database's path.
const database = new DatabaseSync(workerData as string, { timeout: WAIT_MS });
database.exec(DURABLE);
const beside = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
/** Blocks writers of other processes, too. */
const alone = database.prepare('PRAGMA wal_checkpoint(FULL)');
const write = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpoint', ?)");

parentPort?.on('message', (pass: Pass) => parentPort?.postMessage(foldLogBack(pass)));

/** Returns whether the log was restarted. A failure (a full disk, for example) is retried later. */
function foldLogBack(pass: Pass): boolean {
  try {
    const before = Number((pass === 'alone' ? alone : beside).get()?.log);
    // The first write after a complete checkpoint restarts the log and waits for the disk; doing it here keeps writers
    // from waiting.
    write.run(new Date().toISOString());
    return Number(beside.get()?.log) < before;
  } catch {
    return false;
  }
}
