import type { ToolSource } from '../tools/tool.ts';
import type { TaskStore } from './task-store.ts';
import { createTaskTools } from './task-tools.ts';

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
