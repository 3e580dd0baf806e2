import type { KnownTask } from '../known-task.ts';
import type { Command, TaskContext } from '../task-context.ts';

export const FIELDS = { due_date: 'due date', due_time: 'time', description: 'description' } as const;

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
