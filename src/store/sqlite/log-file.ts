import { closeSync, fdatasync, fstatSync, openSync, write } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { holdFiles } from './held-files.ts';

/** About 1,000 pages: more than a chat writes in an hour. */
export const LOG_BYTES = 4_200_000;

/** The file that commits are appended to. What stands in it can be read at once, but only `sync` makes it outlast a power cut. */
export interface LogFile {
  /**
   * Resolves when all that stands in the log now is on the disk. One at a time, and none after one that failed: an open
   * file is told only once that the disk lost something. Rejects when a file of the database was removed or replaced.
   */
  sync(): Promise<void>;
  /** Resolves when what is being synced now is on the disk. */
  settled(): Promise<void>;
  /** Why nothing can be written any more, as far as it is known. */
  readonly failure: AppError | undefined;
  /** Looks for the files, too. */
  findFailure(): AppError | undefined;
  /**
   * Makes the log as long as it usually becomes, with zeros, which SQLite reads as "nothing more". A commit that writes
   * over them is on the disk several times sooner than one that makes the file longer. Only a saving of time: where it
   * cannot be done, nothing is. Nothing may be written until it resolves.
   */
  grow(): Promise<void>;
  close(): void;
}

/** Brings everything that was written to an open file to the disk. */
export type Flush = (file: number) => Promise<void>;

export function createLogFile(database: DatabaseSync, path: string, flush: Flush = flushBeside): LogFile {
  // The log is there as long as a connection is open.
  const file = openSync(`${path}-wal`, 'r+');
  let syncs = Promise.resolve();
  let failure: AppError | undefined;
  const findLostFiles = holdFiles(path);

  function findFailure(): AppError | undefined {
    failure ??= findLostFiles();
    return failure;
  }

  function sync(): Promise<void> {
    syncs = syncs
      .then(async () => {
        const flushed = flush(file);
        // The disk works meanwhile, so the check costs no time.
        const lost = findFailure();
        await flushed;
        if (lost) throw lost;
      })
      .catch((cause) => {
        failure ??= lostWrites(cause);
        throw failure;
      });
    // Who waits hears of it; that nobody waits yet is no reason to end the process.
    syncs.catch(() => {});
    return syncs;
  }

  async function grow(): Promise<void> {
    try {
      // With the write lock no other process adds to the log meanwhile.
      database.exec('BEGIN IMMEDIATE');
    } catch {
      return;
    }
    try {
      await appendZeros(file);
      await sync();
    } catch {
      // A disk that is full, or one that the next sync tells of.
    } finally {
      database.exec('ROLLBACK');
    }
  }

  return {
    sync,
    settled: () => syncs,
    get failure() {
      return failure;
    },
    findFailure,
    grow,
    close: () => closeSync(file),
  };
}

/** In a thread of Node's pool. */
function flushBeside(file: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));
}

function lostWrites(cause: unknown): AppError {
  const detail = 'The disk did not keep what was written to it. Check it, then start again.';
  return new AppError('store_unavailable', { detail, cause });
}

async function appendZeros(file: number): Promise<void> {
  const { size } = fstatSync(file);
  if (size >= LOG_BYTES) return;
  const zeros = Buffer.alloc(LOG_BYTES - size);
  await new Promise<void>((resolve, reject) =>
    write(file, zeros, 0, zeros.length, size, (error) => (error ? reject(error) : resolve())),
  );
}
