import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../errors.ts';

/**
 * Removes what deleted rows leave in the files: SQLite keeps their bytes in free pages, also those of earlier deletions,
 * and in the log. VACUUM writes the file anew, and the log is emptied. Needs free space of the file's size.
 */
export function removeTraces(database: DatabaseSync): void {
  database.exec('VACUUM');
  // A running server reads for moments only; the busy timeout waits for these.
  const done = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (done?.busy === 0) return;
  throw new AppError('store_unavailable', {
    detail:
      'The rows are erased, but their bytes stay in the log (-wal) while another process reads it. Stop the server and repeat the command.',
  });
}
