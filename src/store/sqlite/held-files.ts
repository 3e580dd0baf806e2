import { statSync } from 'node:fs';
import { AppError } from '../../errors.ts';

/**
 * Remembers the files of an open database, and returns a check that their paths still lead to them. An open file that was
 * removed or replaced still takes writes, but nothing can read them after the process ends.
 */
export function holdFiles(path: string): () => AppError | undefined {
  const paths = [path, `${path}-wal`, `${path}-shm`];
  const held = paths.map(identify);
  return () => (paths.every((each, index) => identify(each) === held[index]) ? undefined : lostFiles());
}

function lostFiles(): AppError {
  const detail =
    'The database file was removed or replaced while it was in use. Put it back or restore a backup, then start again.';
  return new AppError('store_unavailable', { detail });
}

/** Identifies the file at a path by device and inode; the inode of an open file is never reused. */
export function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return 'out of reach';
  }
}
