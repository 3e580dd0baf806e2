import type { DatabaseSync } from 'node:sqlite';
import { AppError, toAppError } from '../../errors.ts';
import { cannotWrite } from '../../private-folder.ts';

const BUSY = 5;
const READ_ONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

const REMEDY = 'Restore a backup with `holodeck db restore`, or move the file away to start empty.';
const DETAILS: Record<number, string> = {
  [BUSY]: 'Another process is using the data folder and did not let go in time.',
  [CORRUPT]: `The database file is damaged. ${REMEDY}`,
  [FULL]: 'The disk is full. Free some space.',
  [NOT_A_DATABASE]: `The database file is not a database. ${REMEDY}`,
};

/** Converts a failed access: `store_unavailable` if the disk or file is at fault, never with SQLite's raw text. */
export function toStoreError(error: unknown, path?: string): AppError {
  const code = primaryCode(error);
  if (code === READ_ONLY || isForbidden(error)) return cannotWrite(path ?? 'The data folder', error);
  if (error instanceof AppError || code === undefined || code === CONSTRAINT) return toAppError(error);
  const detail =
    DETAILS[code] ?? 'The data folder could not be read or written. Check the disk and the permissions of the folder.';
  return new AppError('store_unavailable', { detail: path ? `${path}: ${detail}` : detail, cause: error });
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** True for a file that is damaged or no database. */
export function isDamaged(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(primaryCode(error) ?? 0);
}

/** True if the file system refuses the access. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code));
}

/** SQLite's primary result code; undefined if the error is not SQLite's. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Closes the connection if `action` fails. */
export function orClose<T>(database: DatabaseSync, action: () => T): T {
  try {
    return action();
  } catch (error) {
    database.close();
    throw error;
  }
}
