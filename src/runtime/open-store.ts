import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Agent } from '../schema/agent.ts';
import type { StoreAdmin } from '../store/admin.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';

export interface OpenStore {
  /** The URL of a shared database; absent = SQLite in the folder. */
  database: string | undefined;
  folder: string;
  clock: Clock;
  ids: Ids;
}

/** Opens the store of all agents. Code for PostgreSQL is loaded only when it is used. */
export async function openStore({ database, folder, clock, ids }: OpenStore): Promise<Store> {
  if (database === undefined) return createSqliteStore({ folder, now: clock.date, ids });
  const { createPostgresStore } = await import('../store/postgres/postgres-store.ts');
  return createPostgresStore({ url: database, now: clock.date, elapsed: clock.now, ids });
}

/** Opens the store for work on the whole of it. Nothing is written by opening. */
export async function openAdmin({ database, folder }: Pick<OpenStore, 'database' | 'folder'>): Promise<StoreAdmin> {
  if (database === undefined) return (await import('../store/sqlite/admin/admin.ts')).openSqliteAdmin(folder);
  return (await import('../store/postgres/admin.ts')).openPostgresAdmin(database);
}

/** The database that all agents of a process share. */
export function sharedDatabase(agents: readonly Agent[]): string | undefined {
  const urls = new Set(agents.map(({ database }) => database));
  if (urls.size > 1) {
    const detail = 'The agents name different databases. Use one database for all agents of a server.';
    throw new AppError('config_invalid', { detail });
  }
  return [...urls][0];
}
