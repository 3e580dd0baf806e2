import { startsWithVerb } from '../../../language/action-verbs.ts';
import { contentStems } from '../../../language/words.ts';
import { splitNames } from '../find-group.ts';
import type { KnownTask } from '../known-task.ts';
import { peel } from '../talk/peel.ts';
import type { Command } from '../task-context.ts';
import { isUnknown, type Scene } from './agreement.ts';
import {
  actionsOf,
  areNamed,
  type Commands,
  guessed,
  isChange,
  isClear,
  isFound,
  isGrave,
  isSpecial,
} from './command-traits.ts';
import type { MarkedReading } from './read-by-marks.ts';
import { isSplit } from './settle-new.ts';

/** Chances of the learned reading. `sure`: it counts against a clear reading of the grammar. `titles`: its titles are taken
 * instead of the grammar's. `certain`: a change that only it finds is made. `agreed`: a grave change that both find is. */
export const CHANCES = { sure: 0.75, titles: 0.6, certain: 0.6, agreed: 0.85 } as const;

/** Which of two readings with commands counts; undefined where the learned one must be certain. */
export function chooseCommands({ text, grammar, learned, scene }: Both): 'grammar' | 'learned' | undefined {
  const { commands = [], chance, acts } = learned;
  const { tasks } = scene;
  const clear = isClear(grammar);
  if (isHeardWrong(grammar, learned, scene)) {
    const isLost = commands.some(({ action }) => action === 'delete') || commands.some(({ slots }) => slots.title);
    return chance >= (isLost ? CHANCES.agreed : CHANCES.certain) ? 'learned' : undefined;
  }
  if (isLastWord(text, grammar, learned)) return 'learned';
  // "make buy milk 3 instead" sets a time; a title that ends in it is no new name.
  const [first, heard] = [grammar.commands[0]?.slots, commands[0]?.slots];
  if (first?.when !== undefined && heard?.title?.endsWith(first.when) && commands.some(isGrave)) return 'grammar';
  const isLost = (list: readonly Command[]) => list.some((command) => isUnknown(command, scene));
  if (isLost(commands) && !isLost(grammar.commands)) return 'grammar';
  if (grammar.commands.some(({ targets = [], isGuess }) => targets.length > 1 && !isGuess)) return 'grammar';
  if (clear && grammar.commands.some(isSpecial) && isFound(grammar.commands, tasks)) return 'grammar';
  if (grammar.commands.some(({ missing }) => missing === 'change') && commands.some(isGrave)) return 'grammar';
  if (grammar.commands.every(({ action }) => action === 'list') && chance < CHANCES.certain) return 'grammar';
  // "ring Ann on Friday" may be the task of that name or a new one.
  if (
    grammar.commands.some(({ isGuess }) => isGuess) &&
    acts.every(({ start, name }) => start === 0 && startsWithVerb(name))
  )
    return 'grammar';
  const isSame = actionsOf(grammar.commands) === actionsOf(commands);
  if (!clear)
    return isSame && grammar.commands.every(({ isGuess, missing }) => !isGuess && missing === undefined)
      ? 'learned'
      : undefined;
  if (isSame) return isBetter(grammar.commands, learned, tasks) ? 'grammar' : 'learned';
  if (isSplit(grammar.commands, commands)) return 'learned';
  if (grammar.commands.every(isGrave) && commands.some(isGrave)) return 'grammar';
  const kinds = (list: readonly Command[]) => new Set(list.map(({ action }) => action)).size;
  const isFinal = grammar.commands.some(({ isWhole, isQuoted }) => isWhole || isQuoted);
  // "practice got moved to 6" is no errand: where nothing announces a new task, the change is asked about.
  const areNew = grammar.commands.every(({ action }) => action === 'create');
  if (areNew && !isFinal && commands.every(isChange) && peel(text).asking === 'none') return undefined;
  return isFinal || chance < CHANCES.sure || kinds(grammar.commands) > kinds(commands) ? 'grammar' : undefined;
}

export interface Both {
  text: string;
  scene: Scene;
  grammar: Commands;
  learned: MarkedReading;
}

/** The grammar names a task that is not there, and the learned reading one that is: "trash is out". */
function isHeardWrong({ commands }: Commands, { commands: learned = [] }: MarkedReading, scene: Scene): boolean {
  const areChanges = [...commands, ...learned].every(isChange);
  return (
    areChanges &&
    commands.some((command) => isUnknown(command, scene)) &&
    !learned.some((command) => isUnknown(command, scene))
  );
}

/** "Never mind. I'll ask my sister; please add ringing Margaret": the order behind the dismissal counts. */
function isLastWord(text: string, { commands }: Commands, { chance, labels, acts }: MarkedReading): boolean {
  const isDismissed = commands.every(({ action }) => action === 'dismiss');
  const start = acts[0]?.start ?? 0;
  return (
    isDismissed && chance >= CHANCES.sure && labels.undo + labels.cancel < 0.5 && /[.;!]\s/.test(text.slice(0, start))
  );
}

/** A deletion or a new name whose task the grammar hears with more words than the learned reading is asked about. */
export function withDoubt(commands: readonly Command[], learned: readonly Command[]): Command[] {
  return learned.map((command, index) => {
    const [words, fewer] = [commands[index]?.slots.ref ?? '', command.slots.ref ?? ''].map(contentStems);
    const isShort = (fewer?.length ?? 0) < (words?.length ?? 0);
    return isShort && isGrave(command) && command.action !== 'complete' ? guessed(command) : command;
  });
}

const NEGATION = /\b(?:not|never|don't|dont|no)\b/i;

/** True if the grammar's words for tasks and titles are to be kept. */
function isBetter(
  commands: readonly Command[],
  { chance, commands: learned = [] }: MarkedReading,
  tasks: readonly KnownTask[],
): boolean {
  return commands.every(({ action, slots }, index) => {
    const other = learned[index]?.slots ?? {};
    if (action === 'create')
      return chance < CHANCES.titles || (NEGATION.test(slots.title ?? '') && !NEGATION.test(other.title ?? ''));
    const { ref = '' } = slots;
    if (slots.when !== undefined && other.title !== undefined) return true;
    if (slots.title !== undefined && other.when !== undefined) return false;
    // "done: the update, Priya": the reading that names more tasks.
    const isMore = splitNames(other.ref ?? '').length > splitNames(ref).length && areNamed(other.ref ?? '', tasks);
    if (isMore && action === 'complete') return false;
    return areNamed(ref, tasks) || !areNamed(other.ref ?? '', tasks);
  });
}
