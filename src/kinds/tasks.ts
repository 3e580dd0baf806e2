import * as z from 'zod';
import type { TakeDue } from '../schema/task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { Capability, OpenedSource } from '../tools/tool.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { defineKind } from './kind.ts';
import { checkLists, serverKeys, withEntry } from './server-entry.ts';

const Entry = z.strictObject({ ...serverKeys, transport: z.literal('builtin'), server: z.literal('tasks') });

/** Takes the tasks that came due. */
export const DUE_TASKS: Capability<TakeDue> = { name: 'due tasks' };

/** The task list that ships with HoloDeck. */
export const tasksKind = defineKind(Entry, {
  texts: { server: '`tasks` keeps tasks' },
  brings: 'tasks',
  check: (entry, path) => [...checkLists(entry, path), ...checkUser(entry, path)],
  async names() {
    const { createTaskTools } = await import('../tasks/task-tools.ts');
    return createTaskTools({} as TaskStore).map(({ name }) => name); // only names are read: the store is never called
  },
  open: (entries, { agent, folder, clock, ids }) =>
    entries.map(async (entry): Promise<OpenedSource> => {
      const { createTaskSource, openTaskStore } = await import('../tasks/open-task-store.ts');
      const store = await openTaskStore({ database: agent.database, folder, now: clock.date, ids });
      const takeDue: TakeDue = (user, span) => store.takeDue(user.id, span);
      const source = withEntry(createTaskSource({ name: entry.name, store }), entry);
      return { source, capabilities: new Map([[DUE_TASKS, takeDue]]) };
    }),
});

/** Without the user, no task tool can be called: the model does not know whose tasks they are. */
function checkUser({ bind }: z.infer<typeof Entry>, path: Path): Finding[] {
  if (bind.user_id === '$user.id') return [];
  const message = 'is missing; task tools act for their user: write bind: { user_id: $user.id }';
  return [{ path: [...path, 'bind', 'user_id'], message }];
}
