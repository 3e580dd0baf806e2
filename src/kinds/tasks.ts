import * as z from 'zod';
import type { TaskStore } from '../tasks/task-store.ts';
import { defineKind, type OpenedSource } from './kind.ts';
import { checkLists, serverKeys, withEntry } from './server-entry.ts';

const Entry = z.strictObject({ ...serverKeys, transport: z.literal('builtin'), server: z.literal('tasks') });

/** The task list that ships with HoloDeck. */
export const tasksKind = defineKind(Entry, {
  brings: 'tasks',
  check: checkLists,
  async names() {
    const { createTaskTools } = await import('../tasks/task-tools.ts');
    return createTaskTools({} as TaskStore).map(({ name }) => name); // only names are read: the store is never called
  },
  open: (entries, { agent, folder, clock, ids }) =>
    entries.map(async (entry): Promise<OpenedSource> => {
      const [{ createTaskSource }, { openTaskStore }] = await Promise.all([
        import('../tasks/task-source.ts'),
        import('../tasks/open-task-store.ts'),
      ]);
      const store = await openTaskStore({ database: agent.database, folder, now: clock.date, ids });
      return {
        source: withEntry(createTaskSource({ name: entry.name, store }), entry),
        takeDue: (user, span) => store.takeDue(user.id, span),
      };
    }),
});
