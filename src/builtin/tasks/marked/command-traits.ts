import { cleanText } from '../../../language/clean-text.ts';
import { readPosition } from '../../../language/words.ts';
import type { PlanReply } from '../../plan.ts';
import { splitNames } from '../find-group.ts';
import { readQuestion } from '../frames/read-question.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import type { Command, Pending } from '../task-context.ts';
import type { Understanding } from '../understand.ts';

/** The reading of the grammar. `isSure`: by a pattern, not by a remark. */
export type GrammarReading =
  | { kind: 'commands'; commands: Command[]; isSure: boolean }
  /** `isFinal`: the learned reading cannot know better. */
  | { kind: 'offer'; reply: PlanReply<Pending>; isFinal?: boolean }
  | { kind: 'none'; understood: Exclude<Understanding, { kind: 'commands' }>; isUnclear: boolean };

export type Commands = Extract<GrammarReading, { kind: 'commands' }>;

const REQUEST = /\b(?:can|could|would|will|might) (?:you|u)\b/i;

/** A question changes nothing; "could you add milk?" is none. */
export function isQuestion(text: string): boolean {
  const clean = cleanText(text);
  return readQuestion(clean) !== undefined || (/\?\s*$/.test(text) && !REQUEST.test(clean));
}

export function isNamed(ref: string, tasks: readonly KnownTask[]): boolean {
  if (readPosition(ref) !== undefined || isPronoun(ref)) return true;
  const found = resolveReference(ref, tasks, { ordered: [] });
  return found.kind !== 'none' && found.how !== 'overlap';
}

/** True if each of several names means a task. */
export function areNamed(ref: string, tasks: readonly KnownTask[]): boolean {
  return isNamed(ref, tasks) || splitNames(ref).every((part) => isNamed(part, tasks));
}

export function isFound(commands: readonly Command[], tasks: readonly KnownTask[]): boolean {
  return commands.every(({ slots: { ref }, targets }) => targets || ref === undefined || areNamed(ref, tasks));
}

/** A task that is gone, done or renamed is missed; a wrong time is easily mended. */
export function isGrave({ action, slots }: Command): boolean {
  return action === 'complete' || action === 'delete' || (action === 'update' && slots.title !== undefined);
}

export function isChange({ action }: Command): boolean {
  return action === 'complete' || action === 'delete' || action === 'update';
}

export function guessed(command: Command): Command {
  return command.action === 'create' ? command : { ...command, isGuess: true };
}

/** A grave change is asked about; any other one only if its task is not clearly named. */
export function confirmed(command: Command): Command {
  if (isGrave(command)) return guessed(command);
  return command.action === 'update' ? { ...command, isDoubted: true } : command;
}

export function isClear({ commands, isSure }: Commands): boolean {
  return isSure && commands.every(({ isGuess, isDoubted, missing }) => !isGuess && !isDoubted && missing === undefined);
}

export function actionsOf(commands: readonly Command[]): string {
  return commands
    .map(({ action }) => action)
    .sort()
    .join();
}

/** Groups, exceptions, lengths of time, fields and words that look back have patterns of their own. */
export function isSpecial({ action, shift, targets = [], slots }: Command): boolean {
  const { clear, except, filter, is_completed } = slots;
  if (action === 'undo' || action === 'dismiss' || action === 'restore') return true;
  return targets.length > 1 || [shift, clear, except, filter, is_completed].some((part) => part !== undefined);
}
