import * as z from 'zod';
import type { TaskStore } from '../tasks/task-store.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { defineKind, type OpenedSource } from './kind.ts';
import { checkLists, serverKeys, withEntry } from './server-entry.ts';

const Entry = z.strictObject({ ...serverKeys, transport: z.literal('builtin'), server: z.literal('tasks') });

/** The task list that ships with HoloDeck. */
export const tasksKind = defineKind(Entry, {
  brings: 'tasks',
  check: (entry, path) => [...checkLists(entry, path), ...checkUser(entry, path)],
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

/** Without the user, no task tool can be called: the model does not know whose tasks they are. */
function checkUser({ bind }: z.infer<typeof Entry>, path: Path): Finding[] {
  if (bind.user_id === '$user.id') return [];
  const message = 'is missing; task tools act for their user: write bind: { user_id: $user.id }';
  return [{ path: [...path, 'bind', 'user_id'], message }];
}
