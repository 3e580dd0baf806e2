import type { Command, Done, Reverse } from '../command.ts';
import { ask, callOne, done, failed, type TaskContext, type Work } from '../context.ts';
import type { TaskChange } from '../known-task.ts';
import { describeRestored } from '../read-undone.ts';
import { isPlural, isPronoun, resolve } from '../resolve.ts';
import { describeUndone, inverseOf, whyNot } from './inverse-calls.ts';
import { describeLast } from './plan-lookup.ts';

export type ReverseCommand = Command & { action: Reverse };

/** The action that reverses each action. */
const UNDOING = { create: 'delete', delete: 'create', update: 'update', complete: 'update' } as const;
const NOTHING = "There is nothing to undo: I haven't changed anything in this conversation.";

/** Looks back: takes the last turn's change back as one step, leaves it, or brings a deleted task back. */
export function* planReverse(command: ReverseCommand, context: TaskContext): Work<Done> {
  if (command.action === 'restore') return yield* planRestore(command, context);
  if (command.action === 'dismiss') return yield* planDismiss(command, context);
  return yield* planUndo(command, context);
}

/**
 * "forget it": what was just done is taken back. "keep it": what was just deleted or taken back is brought back, and
 * anything else stays. Neither ever removes a task that was there before.
 */
function* planDismiss(command: ReverseCommand, context: TaskContext): Work<Done> {
  const { changes, isJustChanged, isTakenBack } = context.memory;
  const isDeletion = changes.every(({ action }) => action === 'delete');
  const isUndone = isTakenBack && changes.every(({ action }) => action !== 'create');
  const isMeant = command.isMild ? isDeletion || isUndone : !isTakenBack;
  if (isJustChanged && isMeant) return yield* planUndo(command, context);
  return done(command, "All right, I've left your tasks as they are.");
}

/** Later, or where taking back would remove or rename a task and plain words are missing, it is confirmed. */
function* planUndo(command: ReverseCommand, context: TaskContext): Work<Done> {
  const { changes, isJustChanged, isQuietSince, isTakenBack } = context.memory;
  if (command.isRedo && !isTakenBack) return done(command, 'There is nothing to do again: nothing was taken back.');
  const isPlain = command.evidence === 'plain' || (command.evidence === 'likely' && changes.every(isMild));
  const isDone = command.evidence === 'agreed' || (isPlain && (isJustChanged || isQuietSince || command.targets));
  if (changes.length > 0 && !isDone) return askForUndo(command, context);
  const { undo } = context.names;
  if (undo !== undefined) {
    const outcome = yield* callOne({ name: undo, arguments: {} });
    if ('error' in outcome)
      return outcome.error.error_type === 'TaskNotFound' ? done(command, NOTHING) : failed(command, outcome);
    return done(undoing(command, changes), describeRestored(outcome.result, context.zone));
  }
  return changes.length === 0 ? done(command, NOTHING) : yield* undoByCalls(command, changes, context);
}

/** True if nothing is removed or renamed when the change is taken back. */
function isMild({ action, task, before }: TaskChange): boolean {
  return action === 'delete' || action === 'complete' || (action === 'update' && before?.title === task.title);
}

function askForUndo(command: ReverseCommand, { memory }: TaskContext): Done {
  const candidates = memory.changes.map(({ task }) => task);
  const question = `I last ${describeLast(memory)}. Shall I take that back?`;
  return ask(command, question, { kind: 'confirm', command, candidates });
}

/** Without an undo tool: the inverse of each call, the last first. */
function* undoByCalls(command: ReverseCommand, changes: readonly TaskChange[], context: TaskContext): Work<Done> {
  const undone = changes.toReversed().map((change) => ({ change, call: inverseOf(change, context) }));
  const stuck = undone.find(({ call }) => call === undefined);
  if (stuck) return done(command, whyNot(stuck.change));
  const outcomes = yield undone.flatMap(({ call }) => call ?? []);
  const failure = outcomes.find((outcome) => 'error' in outcome);
  if (failure && 'error' in failure) return failed(undoing(command, changes), failure);
  return done(undoing(command, changes), undone.map(({ change }) => describeUndone(change)).join('\n'));
}

function undoing(command: ReverseCommand, [first]: readonly TaskChange[]): Command {
  return first ? { ...command, action: UNDOING[first.action] } : command;
}

/** "bring it back" only restores: a task that is there stays as it is. */
function* planRestore(command: ReverseCommand, context: TaskContext): Work<Done> {
  const { changes, deleted, last, isTakenBack } = context.memory;
  const isLastDeleted = changes.length > 0 && changes.every(({ action }) => action === 'delete');
  const targets = isLastDeleted ? changes.map(({ task }) => task) : deleted ? [deleted] : [];
  const { ref = 'it' } = command.slots;
  const isNamed = !isPronoun(ref) && !isPlural(ref);
  if (isNamed && targets.length > 0 && resolve(ref, targets).kind === 'none')
    return done(command, `I haven't deleted a task matching '${ref}' in this conversation.`);
  // Bringing back is harmless, so it needs no question, however long ago the tasks were deleted.
  if (isLastDeleted) return yield* planUndo({ ...command, targets }, context);
  if (deleted) return yield* undoByCalls(command, [{ action: 'delete', task: deleted }], context);
  if (last && (isTakenBack || changes.length > 0)) return done(command, `'${last.title}' is on your list.`);
  return done(command, 'There is no deleted task to bring back.');
}
