import type { Zone } from '../../../language/zoned-time.ts';
import { describeDue, quoteAll } from '../../reply.ts';
import type { Command } from '../command.ts';
import type { TaskContext } from '../context.ts';
import type { KnownTask } from '../known-task.ts';

const FIELDS = { due_date: 'due date', due_time: 'time', description: 'description' } as const;

/** The change that a yes would make to a task, to follow "Shall I". */
export function describeChange({ action, slots, shift }: Command, { title }: KnownTask): string {
  if (action === 'delete') return `delete '${title}'`;
  if (action === 'complete') return `mark '${title}' as done`;
  if (slots.is_completed === false) return `reopen '${title}'`;
  if (slots.clear !== undefined) return `remove the ${FIELDS[slots.clear]} of '${title}'`;
  if (slots.title !== undefined) return `rename '${title}' to '${slots.title}'`;
  if (slots.description !== undefined) return `change the description of '${title}'`;
  if (slots.when === undefined) return `change '${title}'`;
  if (shift === undefined) return `move '${title}' to ${slots.when}`;
  return `move '${title}' ${shift === 'earlier' ? 'forward ' : ''}by ${slots.when}`;
}

/** The state of a task after something was removed from it; undefined for any other change. */
export function describeTakenBack({ slots }: Command, { title }: KnownTask): string | undefined {
  if (slots.is_completed === false) return `I've reopened '${title}'.`;
  return slots.clear === undefined ? undefined : `I've removed the ${FIELDS[slots.clear]} of '${title}'.`;
}

/** Why nothing is done: it is so already, or the tools cannot. */
export function whyIdle({ action, slots }: Command, task: KnownTask, { changeable }: TaskContext): string | undefined {
  const { title } = task;
  if (action === 'complete' && task.is_completed) return `'${title}' is already done.`;
  if (slots.is_completed === false) {
    if (!task.is_completed) return `'${title}' is still open.`;
    return changeable.has('is_completed') ? undefined : `I can't reopen '${title}' once it is done.`;
  }
  if (slots.clear === undefined) return undefined;
  const isThere = slots.clear === 'due_time' ? task.due_date?.includes('T') : task[slots.clear] !== undefined;
  if (!isThere) return `'${title}' has no ${FIELDS[slots.clear]}.`;
  return changeable.has(slots.clear === 'due_time' ? 'due_date' : 'clear')
    ? undefined
    : `I can't take the ${FIELDS[slots.clear]} of '${title}' away.`;
}

const MAX_NAMED = 10;

/** Nothing is in the group that was named. */
export function describeNone(command: Command): string {
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

/** Asks for a yes to a change of several tasks, with all their names. */
export function confirmation(command: Command, tasks: readonly KnownTask[], zone: Zone): string {
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

/** "'a', 'b' or 'c'"; equal titles are numbered and get a distinguishing detail. */
export function nameTasks(tasks: readonly KnownTask[], link: 'and' | 'or', zone: Zone): string {
  const isTwin = (task: KnownTask) => tasks.some((other) => other !== task && isSameTitle(other, task));
  if (!tasks.some(isTwin)) {
    return quoteAll(
      tasks.map((task) => task.title),
      link,
    );
  }
  const named = tasks.map((task, index) => {
    const note = isTwin(task) ? ` (${noteFor(task, tasks, zone)})` : '';
    return `${index + 1}. '${task.title}'${note}`;
  });
  return `${named.slice(0, -1).join(', ')} ${link} ${named.at(-1)}`;
}

function isSameTitle(a: KnownTask, b: KnownTask): boolean {
  return a.title.toLowerCase() === b.title.toLowerCase();
}

function noteFor(task: KnownTask, tasks: readonly KnownTask[], zone: Zone): string {
  const note = describeState(task, zone);
  const alike = tasks.filter((other) => isSameTitle(other, task) && describeState(other, zone) === note);
  if (alike.length === 1) return note;
  const byAge = alike.toSorted((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
  const age = byAge.indexOf(task);
  const rank = age === 0 ? 'the newest' : age === alike.length - 1 ? 'the oldest' : 'in between';
  return alike.length === tasks.length ? rank : `${note}, ${rank}`;
}

function describeState({ due_date, is_completed }: KnownTask, zone: Zone): string {
  const due = due_date === undefined ? [] : [`due ${describeDue(due_date, zone)}`];
  const notes = [...due, ...(is_completed ? ['done'] : [])];
  return notes.length === 0 ? 'no due date' : notes.join(', ');
}
