import { cleanText, stripPoliteness } from '../../language/clean-text.ts';
import { readPosition } from '../../language/words.ts';
import type { Gate } from './frames/classify.ts';
import { quoteTitles } from './frames/quote-titles.ts';
import { readByTitle } from './frames/read-by-title.ts';
import type { KnownTask } from './known-task.ts';
import { isPronoun } from './resolve-reference.ts';
import { type Command, lookUpTasks, type TaskContext, type Work } from './task-context.ts';
import { toCommand, type Understanding, understand } from './understand.ts';

/** Words that only a new task begins with, whatever tasks there are. */
const ADDING =
  /^(?:add|create|insert|new|note|jot|write down|todo|to-?do|remind|remember|don'?t (?:let me )?forget|make sure|(?:i|we) (?:really |still |also |just )*(?:need|have|must|should|want|got)|i've got|gotta|need to|have to|another|one more|also|undo)\b/i;

/**
 * Reads a message with the user's own tasks in view: where it contains a whole title, the words of the title are no
 * command and the words around it say what to do.
 */
export function* understandNamed(
  text: string,
  context: TaskContext,
  { isForOthers, ...gate }: Gate & { isForOthers?: (() => boolean) | undefined },
): Work<Understanding> {
  const first = understand(text, context.zone, gate);
  // No list is read for a message that another tool clearly answers.
  if (first.kind === 'commands' && first.isDoubtful && isForOthers?.())
    return { kind: 'other', topic: 'unknown', confidence: 0.5 };
  if (!mayName(first, text)) return first;
  const clean = cleanText(text);
  const tasks = yield* knownTasks(first, context);
  const quoted = quoteTitles(
    clean,
    tasks.map(({ title }) => title),
  );
  if (quoted === clean && !/"/.test(clean)) return first;
  const titles = new Set(tasks.map(({ title }) => title.toLowerCase()));
  if (isSettled(first, titles)) return first;
  const byTitle = readByTitle(quoted, context.zone)?.map((frame) =>
    toCommand(frame, clean, { zone: context.zone, confidence: 0.85 }),
  );
  if (byTitle?.every((command) => isOf(command, titles))) return { kind: 'commands', commands: byTitle };
  if (quoted === clean) return first;
  const second = understand(quoted, context.zone, gate);
  const isBetter =
    second.kind === 'commands' && second.commands.every((command) => isChange(command) && isOf(command, titles));
  if (isBetter) return { ...second, isDoubtful: false };
  return cutsTitle(first, quoted) ? { kind: 'vague', words: clean, readings: [], confidence: 0.5 } : first;
}

/** Whether a title in the message could change how it is read. */
function mayName(understood: Understanding, text: string): boolean {
  if (understood.kind !== 'commands') return understood.kind === 'vague' || understood.topic === 'unknown';
  const isNew = ADDING.test(stripPoliteness(cleanText(text)));
  if (understood.commands.some(isSpecial)) return false;
  return understood.commands.every(
    ({ action, slots: { ref = '' } }) =>
      action === 'complete' ||
      action === 'delete' ||
      (action === 'update' && !(isPronoun(ref) && understood.commands.length === 1)) ||
      (action === 'create' && !isNew),
  );
}

/** Groups, exceptions, lengths of time and fields have patterns of their own. */
function isSpecial({ shift, slots }: Command): boolean {
  const { clear, except, filter, is_completed, description } = slots;
  return [shift, clear, except, filter, is_completed, description].some((part) => part !== undefined);
}

/** The tasks of the conversation; for a change that names one, all of the user's tasks, which are looked up anyway. */
function* knownTasks(understood: Understanding, context: TaskContext): Work<readonly KnownTask[]> {
  const isLookedUp =
    understood.kind === 'commands' &&
    understood.commands.some(
      ({ action, slots: { ref = '' } }) =>
        action !== 'create' && ref !== '' && !isPronoun(ref) && readPosition(ref) === undefined,
    );
  if (!isLookedUp) return context.memory.known;
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? context.memory.known : looked.tasks;
}

/** True if every change is already about a task that is named in full. */
function isSettled(understood: Understanding, titles: ReadonlySet<string>): boolean {
  return (
    understood.kind === 'commands' &&
    !understood.isDoubtful &&
    understood.commands.every(
      (command) =>
        isChange(command) &&
        !command.isGuess &&
        command.missing === undefined &&
        titles.has(command.slots.ref?.toLowerCase() ?? ''),
    )
  );
}

function isChange({ action }: Command): boolean {
  return action === 'complete' || action === 'delete' || action === 'update';
}

/** True if a command is about tasks that are named in full. */
function isOf({ slots: { ref = '' } }: Command, titles: ReadonlySet<string>): boolean {
  if (titles.has(ref.toLowerCase())) return true;
  const parts = [...ref.matchAll(/"([^"]*)"/g)].map(([, title = '']) => title.toLowerCase());
  const isAll = /^(?:and|both|[\s,])*$/i.test(ref.replace(/"[^"]*"/g, ' '));
  return parts.length > 0 && isAll && parts.every((part) => titles.has(part));
}

/** True if a change took a part of a whole title for its task or its new name. */
function cutsTitle(understood: Understanding, quoted: string): boolean {
  const titles = [...quoted.matchAll(/"([^"]*)"/g)].map(([, title = '']) => title.toLowerCase());
  if (understood.kind !== 'commands') return false;
  return understood.commands.filter(isChange).some(({ slots: { ref = '' } }) => {
    const words = ref.toLowerCase();
    return words !== '' && titles.some((title) => title !== words && title.startsWith(words));
  });
}
