import { quoteAll } from '../../reply.ts';
import type { Reverse } from '../frames/frame.ts';
import { ordersNothing } from '../guard/orders-nothing.ts';
import { isSaidPlainly } from '../guard/said-plainly.ts';
import type { TaskChange } from '../known-task.ts';
import { describeRestored } from '../read-undone.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import {
  ask,
  type Command,
  callOne,
  type Done,
  done,
  failed,
  leaveAlone,
  type TaskContext,
  type Work,
} from '../task-context.ts';
import { describeUndone, inverseOf, whyNot } from './inverse-calls.ts';
import { decide } from './policy.ts';

export type ReverseCommand = Command & { action: Reverse };

/** The action that reverses each action. */
const UNDOING = { create: 'delete', delete: 'create', update: 'update', complete: 'update' } as const;

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
  if (isJustChanged && isMeant && decide('undo', 'recent', { canUndo: true }) === 'do')
    return yield* planUndo(command, context);
  return done(command, "All right, I've left your tasks as they are.");
}

/** An undo some turns later is confirmed: the user may mean a change that was never made. */
function* planUndo(command: ReverseCommand, context: TaskContext): Work<Done> {
  const { changes, isJustChanged, isQuietSince, isTakenBack } = context.memory;
  if (command.isRedo && !isTakenBack) return done(command, 'There is nothing to do again: nothing was taken back.');
  const isRecent = isJustChanged || isQuietSince || command.targets;
  const isRestore = changes.length > 0 && changes.every(({ action }) => action === 'delete');
  const isPlain = command.isSettled || isSaidPlainly(context.text, { kind: 'undo', isRestore });
  const found = isRecent && isPlain ? 'recent' : 'stale';
  if (!isPlain && changes.length > 0 && ordersNothing({ ...command, action: 'undo' }, context))
    return leaveAlone('undo.');
  if (changes.length > 0 && decide('undo', found, { canUndo: true }) === 'confirm') return askForUndo(command, changes);
  const { undo } = context.names;
  if (undo !== undefined) {
    const outcome = yield* callOne({ name: undo, arguments: {} });
    const none = "There is nothing to undo: I haven't changed anything in this conversation.";
    if ('error' in outcome)
      return outcome.error.error_type === 'TaskNotFound' ? done(command, none) : failed(command, outcome);
    return done(undoing(command, changes), describeRestored(outcome.result));
  }
  if (changes.length === 0)
    return done(command, "There is nothing to undo: I haven't changed anything in this conversation.");
  return yield* undoByCalls(command, changes, context);
}

const DONE = { create: 'added', delete: 'deleted', complete: 'marked as done', update: 'changed' } as const;
const MAX_NAMED = 3;

/** The last change in words: "deleted: 'milk'". */
export function describeLast(changes: readonly TaskChange[]): string {
  const [first] = changes;
  const titles = changes.slice(0, MAX_NAMED).map(({ task, before }) => before?.title ?? task.title);
  const more = changes.length > MAX_NAMED ? ` and ${changes.length - MAX_NAMED} more` : '';
  return `${DONE[first?.action ?? 'update']}: ${quoteAll(titles, 'and')}${more}`;
}

function askForUndo(command: ReverseCommand, changes: readonly TaskChange[]): Done {
  const what = describeLast(changes);
  const candidates = changes.map(({ task }) => task);
  return ask(command, `I last ${what}. Shall I take that back?`, { kind: 'confirm', command, candidates });
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
  const { ref = '' } = command.slots;
  const isOther = !isPronoun(ref) && resolveReference(ref, targets, { ordered: [] }).kind === 'none';
  if (ref !== '' && targets.length > 0 && isOther)
    return done(command, `I haven't deleted a task matching '${ref}' in this conversation.`);
  // Bringing back is harmless, so it needs no question, however long ago the tasks were deleted.
  if (isLastDeleted) return yield* planUndo({ ...command, targets }, context);
  if (deleted) return yield* undoByCalls(command, [{ action: 'delete', task: deleted }], context);
  if (last && (isTakenBack || changes.length > 0)) return done(command, `'${last.title}' is on your list.`);
  return done(command, 'There is no deleted task to bring back.');
}
