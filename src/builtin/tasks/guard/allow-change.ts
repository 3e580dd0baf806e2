import { contentStems, readPosition } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import type { ChangeCommand, TaskContext } from '../task-context.ts';
import { type Named, namesTasks } from './names-task.ts';
import { readPlainMove } from './plain-move.ts';
import { trimPart } from './plain-parts.ts';
import { type GraveDeed, isSaidPlainly } from './said-plainly.ts';

/** The change as it may be made without a question: the user was asked, or it was said plainly. Undefined if it may not. */
export function allowChange(
  command: ChangeCommand,
  tasks: readonly KnownTask[],
  context: TaskContext,
): ChangeCommand | undefined {
  const { text, list, memory } = context;
  const named = { tasks, known: list?.tasks ?? memory.known };
  const deed = graveDeed(command, named);
  if (command.isSettled) return command;
  if (deed === undefined) return command.slots.when === undefined ? command : allowMove(command, tasks, context);
  // "great, that's done" right after a new task is about the adding.
  const isRemark = !/\b(?:mark|tick|check|cross|complete)\b/i.test(text) && !namesAny(text, tasks);
  if (command.action === 'complete' && isRemark && isJustAdded(tasks, memory)) return undefined;
  const isPlain = isSaidPlainly(text, deed) || (command.isNamed === true && namesTasks(trimPart(text).words, named));
  return isPlain ? command : undefined;
}

/** The same for a change that only a probability speaks for: the message itself names the task. */
export function allowGuess(command: ChangeCommand, task: KnownTask, context: TaskContext): ChangeCommand | undefined {
  if (command.action !== 'complete') return allowMove({ ...command, isGuess: true }, [task], context);
  const plain = namesAny(context.text, [task]) ? allowChange(command, [task], context) : undefined;
  return plain && { ...plain, isSettled: true };
}

/** A new time that is said plainly. Where it is only a guess, a word of moving must be said too. */
export function allowMove(
  { isGuess, ...command }: ChangeCommand,
  tasks: readonly KnownTask[],
  context: TaskContext,
): ChangeCommand | undefined {
  const { slots } = command;
  if (command.action !== 'update' || slots.when === undefined || slots.title !== undefined) return undefined;
  if (isGuess && readPosition(slots.ref ?? '') !== undefined) return undefined;
  const plain = readPlainMove({ command, tasks, isGuess: isGuess === true }, context);
  return plain && { ...command, slots: { ...slots, ...plain }, isSettled: true };
}

function graveDeed({ action, slots }: ChangeCommand, { tasks, known }: Named): GraveDeed | undefined {
  if (action !== 'update') return { kind: action, tasks, known };
  const [task] = tasks;
  return task && slots.title !== undefined ? { kind: 'rename', task, title: slots.title } : undefined;
}

function isJustAdded(tasks: readonly KnownTask[], { isJustChanged, changes }: TaskContext['memory']): boolean {
  return (
    isJustChanged && changes.some(({ action, task }) => action === 'create' && tasks.some(({ id }) => id === task.id))
  );
}

function namesAny(text: string, tasks: readonly KnownTask[]): boolean {
  const said = new Set(contentStems(text));
  return tasks.every(({ title }) => contentStems(title).some((word) => said.has(word)));
}
