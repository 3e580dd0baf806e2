import type { JsonObject } from '../schema/json.ts';
import type { PlannedCall } from './plan.ts';
import { type Command, callOne, type Desk, type Done, done, failed, type Work } from './task-desk.ts';
import type { KnownTask, TaskChange } from './task-memory.ts';

/** What taking a change back amounts to. */
const UNDOING = { create: 'delete', delete: 'create', update: 'update', complete: 'update' } as const;

/** Takes back the last change where the tools can, and says plainly where they cannot. */
export function* planUndo(command: Command, desk: Desk): Work<Done> {
  const [change, another] = desk.memory.changes;
  if (!change) return done(command, "There is nothing to undo: I haven't changed anything in this conversation.");
  if (another)
    return done(
      command,
      'That changed several tasks at once, which I cannot take back in one step. Tell me which one to change.',
    );
  const call = inverseOf(change, desk);
  if (!call) return done(command, whyNot(change));
  const outcome = yield* callOne(call);
  const undoing: Command = { ...command, action: UNDOING[change.action] };
  return 'error' in outcome ? failed(undoing, outcome) : done(undoing, describeUndone(change));
}

function inverseOf({ action, task, before }: TaskChange, { names, changeable }: Desk): PlannedCall | undefined {
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

/** What makes a task as it was; undefined where the tool cannot. */
function restoring(task: KnownTask, before: KnownTask, changeable: Desk['changeable']): JsonObject | undefined {
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

function whyNot({ action, task }: TaskChange): string {
  if (action === 'complete')
    return `I can't reopen '${task.title}' once it is done. I can add it again as a new task if you like.`;
  return `I can't take back that change to '${task.title}'. Tell me what it should be instead.`;
}

function describeUndone({ action, task, before }: TaskChange): string {
  if (action === 'complete') return `I've reopened '${task.title}'.`;
  if (action === 'create') return `I've removed '${task.title}' again.`;
  if (action === 'delete')
    return `I've added '${task.title}' again, as a new task${task.is_completed ? ' that is not done' : ''}.`;
  return `I've changed it back to '${before?.title ?? task.title}'.`;
}
