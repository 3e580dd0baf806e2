import { join } from 'node:path';
import type { Ids } from '../ids.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { TaskStore } from './task-store.ts';
import { createTaskTools } from './task-tools.ts';

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

/** The task tools as one `tools` entry, in this process. Closing it closes the store. */
export function createTaskSource({ name, store }: { name: string; store: TaskStore }): ToolSource {
  const tools = createTaskTools(store, { source: name });
  return {
    name,
    tools: async () => tools,
    status: () => ({
      state: 'ready',
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    }),
    close: () => store.close(),
  };
}
