import type { DatabaseSync } from 'node:sqlite';

/** Closes the connection if `action` fails. */
export function orClose<T>(database: DatabaseSync, action: () => T): T {
  try {
    return action();
  } catch (error) {
    database.close();
    throw error;
  }
}
