import { quoteAll } from './reply.ts';
import { ask, type Command, type Desk, type Done, done, failed, lookUpTasks, type Work } from './task-desk.ts';
import type { KnownTask } from './task-memory.ts';

type BulkCommand = Command & { action: 'complete' | 'delete' | 'update' };
const MAX_NAMED = 10;

/** Many tasks at once: always asks first, naming what it would touch. */
export function* planBulk(command: BulkCommand, desk: Desk): Work<Done> {
  if (command.targets) return yield* changeAll(command, command.targets, desk);
  const looked = yield* lookUpTasks(desk);
  if ('error' in looked) return failed(command, looked.error);
  const tasks = looked.tasks.filter((task) => isMeant(command, task));
  if (tasks.length === 0)
    return done(
      command,
      `You have no ${kindOf(command)}tasks${command.action === 'delete' ? ' to delete' : ' left to do'}.`,
    );
  return confirmSeveral(command, tasks);
}

/** Several tasks that were named one by one: completing is done at once, deleting is asked about. */
export function* planSeveral(command: BulkCommand, tasks: readonly KnownTask[], desk: Desk): Work<Done> {
  return command.action === 'complete' ? yield* changeAll(command, tasks, desk) : confirmSeveral(command, tasks);
}

export function confirmSeveral(command: Command, tasks: readonly KnownTask[]): Done {
  return ask(command, confirmation(command, tasks), { kind: 'confirm', command, candidates: [...tasks] });
}

function isMeant({ action, slots: { filter } }: BulkCommand, task: KnownTask): boolean {
  if (action === 'complete') return !task.is_completed;
  return filter === 'all' || task.is_completed === (filter === 'completed');
}

function kindOf({ action, slots: { filter } }: Command): string {
  if (action === 'complete') return 'open ';
  return filter === 'completed' ? 'completed ' : filter === 'pending' ? 'open ' : '';
}

function confirmation(command: Command, tasks: readonly KnownTask[]): string {
  const named = quoteAll(
    tasks.slice(0, MAX_NAMED).map((task) => task.title),
    'and',
  );
  const more = tasks.length > MAX_NAMED ? `, and ${tasks.length - MAX_NAMED} more` : '';
  const what = `${tasks.length} ${kindOf(command)}task${tasks.length === 1 ? '' : 's'}`;
  return command.action === 'delete'
    ? `Shall I delete ${what} for good: ${named}${more}? (yes or no)`
    : `Shall I mark ${what} as done: ${named}${more}? (yes or no)`;
}

function* changeAll(command: BulkCommand, tasks: readonly KnownTask[], desk: Desk): Work<Done> {
  const name = desk.names[command.action] ?? '';
  const outcomes = yield tasks.map((task) => ({ name, arguments: { task_id: task.id } }));
  const changed = tasks.filter((_, index) => 'result' in (outcomes[index] ?? { error: undefined }));
  const verb = command.action === 'delete' ? 'deleted' : 'marked as done';
  const left = tasks.length - changed.length;
  const rest = left > 0 ? ` ${left} could not be ${verb}.` : '';
  const named = quoteAll(
    changed.slice(0, MAX_NAMED).map((task) => task.title),
    'and',
  );
  const which = changed.length > 0 && changed.length <= MAX_NAMED ? `: ${named}` : '';
  return done(command, `${changed.length} task${changed.length === 1 ? '' : 's'} ${verb}${which}.${rest}`);
}
