import type { TaskAction, TaskToolNames } from './tasks/task-tools.ts';

const EXAMPLES: Readonly<Record<TaskAction, string>> = {
  create: 'add: "remind me to buy milk tomorrow"',
  list: 'see: "what do I need to do this week?"',
  complete: 'complete: "mark milk as done", "I called the dentist"',
  update: 'change: "move milk to Friday", "rename milk to oat milk", "reopen milk"',
  delete: 'delete: "delete milk", "delete all completed tasks"',
};

/** Example sentences for users who ask for help. */
export function describeHelp(names: TaskToolNames): string {
  const actions = (Object.keys(EXAMPLES) as TaskAction[]).filter((action) => names[action] !== undefined);
  const lines = actions.map((action) => `- ${EXAMPLES[action]}`);
  return ['I keep your task list. Here is what you can say:', ...lines, 'And "undo" takes the last change back.'].join(
    '\n',
  );
}
