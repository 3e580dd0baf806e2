import { closeSync, fdatasync, fstatSync, openSync, write } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { holdFiles } from './open.ts';

/** About 1,000 pages: more than a chat writes in an hour. */
export const LOG_BYTES = 4_200_000;

/**
 * The file that commits are appended to (the WAL). Its content is readable at once, but only `sync` makes it survive a
 * power cut.
 */
export interface LogFile {
  /**
   * Resolves when everything in the log now is on the disk. Syncs run one at a time, and none after a failed one,
   * because the kernel reports a lost write only once per open file. Rejects if a file of the database was removed or
   * replaced.
   */
  sync(): Promise<void>;
  /** Resolves when the sync in progress is done. */
  settled(): Promise<void>;
  /** The known reason why nothing can be written any more. */
  readonly failure: AppError | undefined;
  /** Returns `failure`, and also checks that the files are still there. */
  findFailure(): AppError | undefined;
  /**
   * Extends the log with zeros to its usual size; SQLite reads them as "end of log". A commit that overwrites existing
   * space reaches the disk several times faster than one that extends the file. Only an optimization: failures are
   * ignored. Nothing may be written until it resolves.
   */
  grow(): Promise<void>;
  close(): void;
}

/** Flushes everything written to an open file to the disk. */
export type Flush = (file: number) => Promise<void>;

export function createLogFile(database: DatabaseSync, path: string, flush: Flush = flushBeside): LogFile {
  // The log exists as long as a connection is open.
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
        // The disk is working meanwhile, so the check costs no time.
        const lost = findFailure();
        await flushed;
        if (lost) throw lost;
      })
      .catch((cause) => {
        failure ??= lostWrites(cause);
        throw failure;
      });
    // Waiting callers receive the failure; without one, an unhandled rejection would end the process.
    syncs.catch(() => {});
    return syncs;
  }

  async function grow(): Promise<void> {
    try {
      // The write lock keeps other processes from adding to the log meanwhile.
      database.exec('BEGIN IMMEDIATE');
    } catch {
      return;
    }
    try {
      await appendZeros(file);
      await sync();
    } catch {
      // The disk is full, or the next sync will report the failure.
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

/** Runs in a thread of Node's pool. */
function flushBeside(file: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));
}

function lostWrites(cause: unknown): AppError {
  const detail = 'The disk lost data that was written to it. Check the disk, then start again.';
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
