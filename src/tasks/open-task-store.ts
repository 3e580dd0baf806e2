import { join } from 'node:path';
import type { Ids } from '../ids.ts';
import type { TaskStore } from './task-store.ts';

export interface OpenTaskStore {
  /** The URL of a shared database; absent = SQLite in the folder. */
  database: string | undefined;
  folder: string;
  now?: () => Date;
  ids?: Ids;
}

/** Opens the task store. Only the module in use is loaded. */
export async function openTaskStore({ database, folder, ...rest }: OpenTaskStore): Promise<TaskStore> {
  if (database !== undefined) {
    const { createPostgresTaskStore } = await import('./postgres-task-store.ts');
    return createPostgresTaskStore({ url: database, ...rest });
  }
  const { createSqliteTaskStore } = await import('./sqlite-task-store.ts');
  return createSqliteTaskStore({ path: join(folder, 'tasks.db'), ...rest });
}
