import { findGroup } from './find-group.ts';
import { nameTasks } from './name-tasks.ts';
import { quoteAll } from './reply.ts';
import { ask, type Command, type Desk, type Done, done, failed, lookUpTasks, type Work } from './task-desk.ts';
import type { KnownTask } from './task-memory.ts';
import type { Zone } from './zoned-time.ts';

type BulkCommand = Command & { action: 'complete' | 'delete' | 'update' };
const MAX_NAMED = 10;

/** Many tasks at once: always asks first, naming what it would touch. */
export function* planBulk(command: BulkCommand, desk: Desk): Work<Done> {
  if (command.targets) return yield* changeAll(command, command.targets, desk);
  const looked = yield* lookUpTasks(desk);
  if ('error' in looked) return failed(command, looked);
  const group = findGroup(command, looked.tasks, desk);
  if ('unknown' in group)
    return done(command, `I couldn't find a task matching '${group.unknown}', so I have left everything as it is.`);
  return group.tasks.length === 0 ? done(command, describeNone(command)) : confirmSeveral(command, group.tasks, desk);
}

/** Several tasks that were named one by one: completing is done at once, deleting is asked about. */
export function* planSeveral(command: BulkCommand, tasks: readonly KnownTask[], desk: Desk): Work<Done> {
  return command.action === 'complete' ? yield* changeAll(command, tasks, desk) : confirmSeveral(command, tasks, desk);
}

export function confirmSeveral(command: Command, tasks: readonly KnownTask[], { zone }: Desk): Done {
  return ask(command, confirmation(command, tasks, zone), { kind: 'confirm', command, candidates: [...tasks] });
}

function describeNone(command: Command): string {
  const other = command.slots.except === undefined ? '' : 'other ';
  const to = command.action === 'delete' ? ' to delete' : ' left to do';
  return `You have no ${other}${kindOf(command)}tasks${dayOf(command)}${to}.`;
}

function dayOf({ slots: { when } }: Command): string {
  return when === undefined || when === 'overdue' ? '' : ` due ${when}`;
}

function kindOf({ action, slots: { filter, when } }: Command): string {
  if (when === 'overdue') return 'overdue ';
  if (action === 'complete') return 'open ';
  return filter === 'completed' ? 'completed ' : filter === 'pending' ? 'open ' : '';
}

function confirmation(command: Command, tasks: readonly KnownTask[], zone: Zone): string {
  const named = nameTasks(tasks.slice(0, MAX_NAMED), 'and', zone);
  const more = tasks.length > MAX_NAMED ? `, and ${tasks.length - MAX_NAMED} more` : '';
  const what = `${tasks.length} ${kindOf(command)}task${tasks.length === 1 ? '' : 's'}${dayOf(command)}`;
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
