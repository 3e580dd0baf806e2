import type { PlannedCall } from './plan.ts';
import { type Command, callOne, type Desk, type Done, done, failed, type Work } from './task-desk.ts';
import type { TaskChange } from './task-memory.ts';

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
  return 'error' in outcome ? failed(undoing, outcome.error) : done(undoing, describeUndone(change));
}

function inverseOf({ action, task, before }: TaskChange, { names }: Desk): PlannedCall | undefined {
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
  if (action === 'update' && before && isReversible(task, before)) {
    return call(names.update, {
      task_id: task.id,
      title: before.title,
      ...(before.description !== undefined && { description: before.description }),
      ...(before.due_date !== undefined && { due_date: before.due_date }),
    });
  }
  return undefined;
}

/** A date or description that was not there before cannot be taken away again. */
function isReversible(task: TaskChange['task'], before: TaskChange['task']): boolean {
  return (
    (before.due_date !== undefined || task.due_date === undefined) &&
    (before.description !== undefined || task.description === undefined)
  );
}

function whyNot({ action, task }: TaskChange): string {
  if (action === 'complete')
    return `I can't reopen '${task.title}' once it is done. I can add it again as a new task if you like.`;
  return `I can't take back that change to '${task.title}'. Tell me what it should be instead.`;
}

function describeUndone({ action, task, before }: TaskChange): string {
  if (action === 'create') return `I've removed '${task.title}' again.`;
  if (action === 'delete')
    return `I've added '${task.title}' again, as a new task${task.is_completed ? ' that is not done' : ''}.`;
  return `I've changed it back to '${before?.title ?? task.title}'.`;
}
