import type { Zone } from '../../../language/zoned-time.ts';
import { quoteAll } from '../../reply.ts';
import { findGroup } from '../find-group.ts';
import { allowChange, allowMove } from '../guard/allow-change.ts';
import { ordersNothing } from '../guard/orders-nothing.ts';
import { type KnownTask, readTask } from '../known-task.ts';
import {
  ask,
  type ChangeCommand,
  type Command,
  type Done,
  done,
  failed,
  leaveAlone,
  lookUpTasks,
  type TaskContext,
  type Work,
} from '../task-context.ts';
import { changeArguments } from './change-arguments.ts';
import { FIELDS } from './describe-change.ts';
import { nameTasks } from './name-tasks.ts';
import { decide } from './policy.ts';

const MAX_NAMED = 10;
/** Groups up to this size get a new time without a question. */
const MAX_MOVED = 5;
const ONE_AT_A_TIME = 'I can only change one task at a time. Tell me which one.';
const VERBS = { delete: 'deleted', complete: 'marked as done', update: 'changed' } as const;

/** Many tasks at once: asks first, naming what it would touch, unless a few only get a new time. */
export function* planBulk(command: ChangeCommand, context: TaskContext): Work<Done> {
  if (command.targets) return yield* changeAllowed(command, command.targets, context);
  if (!isForMany(command)) return done(command, ONE_AT_A_TIME);
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return failed(command, looked);
  const group = findGroup(command, looked.tasks, context);
  if ('unknown' in group)
    return done(command, `I couldn't find a task matching '${group.unknown}', so I have left everything as it is.`);
  if (group.tasks.length === 0) return done(command, describeNone(command));
  const isFew = group.tasks.length <= MAX_MOVED && command.slots.except === undefined;
  const move = isFew ? allowMove(command, group.tasks, context) : undefined;
  return move ? yield* changeAll(move, group.tasks, context) : confirmSeveral(command, group.tasks, context);
}

/** Several tasks can get a new day or be opened again, but not the same new name. */
function isForMany({ action, slots, missing }: Command): boolean {
  return action !== 'update' || (missing === undefined && slots.title === undefined && slots.description === undefined);
}

/** Several tasks that were named one by one. */
export function* planSeveral(command: ChangeCommand, tasks: readonly KnownTask[], context: TaskContext): Work<Done> {
  if (!isForMany(command)) return done(command, ONE_AT_A_TIME);
  const deed = command.action === 'update' ? 'change' : command.action;
  return decide(deed, 'several', { canUndo: true }) === 'do'
    ? yield* changeAllowed(command, tasks, context)
    : confirmSeveral(command, tasks, context);
}

function* changeAllowed(command: ChangeCommand, tasks: readonly KnownTask[], context: TaskContext): Work<Done> {
  const plain = allowChange(command, tasks, context);
  if (plain) return yield* changeAll(plain, tasks, context);
  if (!ordersNothing(command, context)) return confirmSeveral(command, tasks, context);
  const names = quoteAll(
    tasks.map(({ title }) => title),
    'and',
  );
  return leaveAlone(command.action === 'delete' ? `delete ${names}.` : `mark ${names} as done.`);
}

export function confirmSeveral(command: Command, tasks: readonly KnownTask[], { zone }: TaskContext): Done {
  if (tasks.length > 1 && !isForMany(command)) return done(command, ONE_AT_A_TIME);
  return ask(command, confirmation(command, tasks, zone), { kind: 'confirm', command, candidates: [...tasks] });
}

function describeNone(command: Command): string {
  const other = command.slots.except === undefined ? '' : 'other ';
  const to = { delete: ' to delete', update: ' to change' }[String(command.action)] ?? ' left to do';
  return `You have no ${other}${kindOf(command)}tasks${dayOf(command)}${to}.`;
}

/** The days that a group is limited to; for a change, `when` is the new day. */
function dayOf({ action, slots }: Command): string {
  const day = action === 'update' ? slots.day : slots.when;
  return day === undefined || day === 'overdue' ? '' : ` due ${day}`;
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
  const names = `${named}${more}? (yes or no)`;
  if (command.action === 'delete') return `Shall I delete ${what}: ${names}`;
  if (command.action === 'complete') return `Shall I mark ${what} as done: ${names}`;
  return `Shall I ${describeForAll(command, what)}: ${names}`;
}

function describeForAll({ slots, shift }: Command, what: string): string {
  if (slots.is_completed === false) return `reopen ${what}`;
  if (slots.clear !== undefined) return `remove the ${FIELDS[slots.clear]} of ${what}`;
  if (shift === undefined) return `move ${what} to ${slots.when}`;
  return `move ${what} ${shift === 'earlier' ? 'forward ' : ''}by ${slots.when}`;
}

function* changeAll(command: ChangeCommand, tasks: readonly KnownTask[], context: TaskContext): Work<Done> {
  const name = context.names[command.action] ?? '';
  const planned = tasks.map((task) => ({ task, args: changeArguments(command, task, context.zone) }));
  const ready = planned.filter(({ args }) => args !== undefined);
  const outcomes = yield ready.flatMap(({ args }) => (args ? [{ name, arguments: args }] : []));
  const changed = ready.flatMap(({ task }, index) => {
    const outcome = outcomes[index];
    return outcome && 'result' in outcome ? [readTask(outcome.result) ?? task] : [];
  });
  const verb = VERBS[command.action];
  const left = tasks.length - changed.length;
  const rest = left > 0 ? ` ${left} could not be ${verb}.` : '';
  const titles = changed.slice(0, MAX_NAMED).map(({ title }) => title);
  const which = changed.length > 0 && changed.length <= MAX_NAMED ? `: ${quoteAll(titles, 'and')}` : '';
  return done(command, `${changed.length} task${changed.length === 1 ? '' : 's'} ${verb}${which}.${rest}`);
}
