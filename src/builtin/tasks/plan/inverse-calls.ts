import type { JsonObject } from '../../../schema/json.ts';
import type { PlannedCall } from '../../plan.ts';
import type { TaskContext } from '../context.ts';
import type { KnownTask, TaskChange } from '../known-task.ts';

/** The call that takes a change back where no undo tool is offered; undefined if the tools cannot. */
export function inverseOf(
  { action, task, before }: TaskChange,
  { names, changeable }: TaskContext,
): PlannedCall | undefined {
  const call = (name: string | undefined, args: PlannedCall['arguments']) =>
    name === undefined ? undefined : { name, arguments: args };
  if (action === 'create') return call(names.delete, { task_id: task.id });
  if (action === 'delete') {
    const { title, description, due_date } = task;
    return call(names.create, {
      title,
      ...(description !== undefined && { description }),
      ...(due_date !== undefined && { due_date }),
    });
  }
  if (action === 'complete')
    return changeable.has('is_completed') ? call(names.update, { task_id: task.id, is_completed: false }) : undefined;
  const args = before && restoring(task, before, changeable);
  return args && call(names.update, args);
}

/** The arguments that restore a task; undefined if the tool cannot. */
function restoring(task: KnownTask, before: KnownTask, changeable: TaskContext['changeable']): JsonObject | undefined {
  const clear = (['description', 'due_date'] as const).filter(
    (field) => before[field] === undefined && task[field] !== undefined,
  );
  const isReopened = before.is_completed !== task.is_completed;
  if ((clear.length > 0 && !changeable.has('clear')) || (isReopened && !changeable.has('is_completed')))
    return undefined;
  return {
    task_id: task.id,
    title: before.title,
    ...(before.description !== undefined && { description: before.description }),
    ...(before.due_date !== undefined && { due_date: before.due_date }),
    ...(isReopened && { is_completed: before.is_completed }),
    ...(clear.length > 0 && { clear }),
  };
}

export function whyNot({ action, task }: TaskChange): string {
  if (action === 'complete')
    return `I can't reopen '${task.title}' once it is done. I can add it again as a new task if you like.`;
  return `I can't take back that change to '${task.title}'. Tell me what it should be instead.`;
}

export function describeUndone({ action, task, before }: TaskChange): string {
  if (action === 'complete') return `I've reopened '${task.title}'.`;
  if (action === 'create') return `I've removed '${task.title}' again.`;
  if (action === 'delete')
    return `I've added '${task.title}' again, as a new task${task.is_completed ? ' that is not done' : ''}.`;
  return `I've changed it back to '${before?.title ?? task.title}'.`;
}
