import type { Retention } from '../schema/agent.ts';

interface DatabaseStatus {
  kind: 'SQLite' | 'PostgreSQL';
  /** A path, or hosts and the name of the database; never a password. */
  place: string;
  /** The version of the tables, and the newest that this program knows. */
  version: number;
  newest: number;
  conversations: number;
  turns: number;
  /** Processes that hold a lease or a lock now. */
  runners: number;
}

/** The rows of a restored database; a table that the copy lacks is left out. */
export interface Restored {
  conversations?: number;
  turns?: number;
  messages?: number;
  tasks?: number;
  /** The folder with the previous databases, if there were any. */
  kept?: string;
}

/** Days that each kind of data is kept. `calls`: single calls of programs (`CALL_THREAD`). */
type KeptDays = Retention & { calls?: number };

/** Work on a whole database, by a person or by the clock; no request of a user reaches it. */
export interface StoreAdmin {
  /** Changes nothing, also in a database without tables. */
  status(): Promise<DatabaseStatus>;
  migrate(): Promise<{ from: number; to: number }>;
  /**
   * Removes a user's conversations with everything in them, sealed values and the tools accepted for that user. Audit records stay, with
   * empty arguments and `newId` in place of the user. Returns the number of conversations.
   */
  eraseUser(userId: string, newId: string): Promise<number>;
  /** Removes data of an agent that is older than allowed. Returns the number of removed rows. */
  removeOld(agent: string, kept: KeptDays, now: Date): Promise<number>;
  /** Writes a copy of everything to a new folder. */
  backup(folder: string): Promise<void>;
  /** Brings back such a copy. PostgreSQL refuses a database with data; SQLite keeps the previous files aside. */
  restore(folder: string): Promise<Restored>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time before which data of this age is removed; undefined = it is kept. */
export function cutoff(days: number | undefined, now: Date): string | undefined {
  return days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString();
}
