import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { contentStems, readPosition, stem } from '../../../language/words.ts';
import type { PlanReply } from '../../plan.ts';
import { splitNames } from '../find-group.ts';
import { readQuestion } from '../frames/read-question.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { topicWords } from '../talk/mentions.ts';
import type { Command, Pending } from '../task-context.ts';
import type { Understanding } from '../understand.ts';
import { LIKELY, type MarkedReading } from './read-by-marks.ts';

/** The reading of the grammar. `isSure`: by a pattern, not by a remark. */
export type GrammarReading =
  | { kind: 'commands'; commands: Command[]; isSure: boolean }
  | { kind: 'offer'; reply: PlanReply<Pending> }
  | { kind: 'none'; understood: Exclude<Understanding, { kind: 'commands' }>; isUnclear: boolean };

/** The chance from which the learned reading counts against a clear reading of the grammar. */
const SURE = 0.75;
/** The chance of another topic up to which the list is shown. */
const MAX_OTHER = 0.1;
/** The chance from which its titles are taken instead of the grammar's. */
const TRUSTED = 0.6;
/** The chance from which a change that only the learned reading finds is made without a question. */
const CERTAIN = 0.6;
/** Words that turn an order round or make it a thought: a change that the grammar does not hear is then only offered. */
const TURNED =
  /\b(?:not|n't|dont|never|no|nobody|without|almost|nearly|half|if|unless|should (?:i|we)|would|could have|might|maybe|wish|supposed|pretend|imagine|hardly|barely|except|but|or)\b|n't\b|\?\s*$/i;

/** Something that was not done is no order. */
const FORGOTTEN = /\b(?:forgot|forgotten|missed)\b/i;
/** Longer messages have words that say nothing of a task. */
const MAX_SHORT_WORDS = 6;

interface Choice {
  text: string;
  grammar: GrammarReading;
  learned: MarkedReading | undefined;
  tasks: readonly KnownTask[];
}

/**
 * Chooses between the two readings of a message. Where both hear the same acts, the one that names them better counts; a
 * clear pattern gives way only to a sure learned reading; a change that only the learned one hears is confirmed unless
 * it is certain.
 */
export function settleReadings({ text, grammar, learned, tasks }: Choice): GrammarReading {
  if (!learned?.commands) return grammar;
  const heard = { kind: 'commands' as const, commands: learned.commands, isSure: true };
  if (learned.label === 'show') return grammar.kind === 'none' && isAnswerable(learned, tasks) ? heard : grammar;
  if (learned.chance < LIKELY || isWork(text, learned.acts)) return grammar;
  if (isTakenBack(text, learned.acts)) return isOneCommand(grammar) ? grammar : vague(text);
  if (grammar.kind === 'commands') {
    const choice = chooseCommands(grammar, learned, tasks);
    if (choice === 'grammar') return grammar;
    if (choice === 'learned') return { ...heard, commands: withDoubt(grammar.commands, learned.commands) };
  }
  if (isQuestion(text) || FORGOTTEN.test(text)) return grammar;
  if (TURNED.test(text) || hasStranger(text, learned, tasks))
    return { ...heard, commands: heard.commands.map(guessed) };
  return learned.chance >= CERTAIN ? heard : { ...heard, commands: heard.commands.map(confirmed) };
}

const REQUEST = /\b(?:can|could|would|will|might) (?:you|u)\b/i;

/** A question changes nothing; "could you add milk?" is none. */
function isQuestion(text: string): boolean {
  const clean = cleanText(text);
  return readQuestion(clean) !== undefined || (/\?\s*$/.test(text) && !REQUEST.test(clean));
}

/** "could you write the report?" asks for work, not for a task. */
function isWork(text: string, acts: MarkedReading['acts']): boolean {
  return acts.some(
    ({ kind, start }) =>
      kind === 'add' && /\b(?:can|could|would|will) (?:you|u)(?: please)?\s*$/i.test(text.slice(0, start)),
  );
}

/** Between two new tasks: the second replaces the first. */
const REPLACED = /\b(?:no|wait|scratch that|i meant?|make (?:that|it)|actually|rather|correction|sorry|oops)\b/i;

/** "add eggs, no wait, oat milk" */
function isTakenBack(text: string, acts: MarkedReading['acts']): boolean {
  return acts.some((act, index) => {
    const next = acts[index + 1];
    return act.kind === 'add' && next?.kind === 'add' && REPLACED.test(text.slice(act.end, next.start));
  });
}

function isOneCommand(grammar: GrammarReading): boolean {
  return grammar.kind === 'commands' && grammar.commands.length === 1;
}

function vague(words: string): GrammarReading {
  return { kind: 'none', understood: { kind: 'vague', words, readings: [], confidence: 0.5 }, isUnclear: true };
}

type Commands = Extract<GrammarReading, { kind: 'commands' }>;

/** Which of two readings with commands counts; undefined where the learned one must be certain. */
function chooseCommands(
  grammar: Commands,
  learned: MarkedReading,
  tasks: readonly KnownTask[],
): 'grammar' | 'learned' | undefined {
  const { commands = [], chance, acts } = learned;
  const clear = isClear(grammar);
  if (grammar.commands.some(({ targets = [], isGuess }) => targets.length > 1 && !isGuess)) return 'grammar';
  if (clear && grammar.commands.some(isSpecial) && isFound(grammar.commands, tasks)) return 'grammar';
  if (grammar.commands.some(({ missing }) => missing === 'change') && commands.some(isGrave)) return 'grammar';
  if (grammar.commands.every(({ action }) => action === 'list') && chance < CERTAIN) return 'grammar';
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
  return isFinal || chance < SURE || kinds(grammar.commands) > kinds(commands) ? 'grammar' : undefined;
}

/** A deletion or a new name whose task the grammar hears with more words than the learned reading is asked about. */
function withDoubt(commands: readonly Command[], learned: readonly Command[]): Command[] {
  return learned.map((command, index) => {
    const [words, fewer] = [commands[index]?.slots.ref ?? '', command.slots.ref ?? ''].map(contentStems);
    const isShort = (fewer?.length ?? 0) < (words?.length ?? 0);
    return isShort && isGrave(command) && command.action !== 'complete' ? guessed(command) : command;
  });
}

/** In a short message a word beside a name may make it another one: "ring Dr Moll on Friday" for "see Dr Moll". */
function hasStranger(text: string, { acts }: MarkedReading, tasks: readonly KnownTask[]): boolean {
  if (text.split(/\s+/).length > MAX_SHORT_WORDS) return false;
  const known = new Set(tasks.flatMap(({ title }) => contentStems(title)));
  return acts
    .filter(({ kind, name }) => kind !== 'add' && kind !== 'done' && name !== '')
    .flatMap(({ start, end }) => [/(\S+)\s*$/.exec(text.slice(0, start))?.[1], /^\s*(\S+)/.exec(text.slice(end))?.[1]])
    .flatMap((word = '') => topicWords(word))
    .some((word) => !known.has(stem(word)));
}

/** A list is shown for a clear request only, and a task's state only if there is such a task. */
function isAnswerable({ chance, labels, commands = [] }: MarkedReading, tasks: readonly KnownTask[]): boolean {
  const isAsked = commands.every(({ slots: { ref } }) => ref === undefined || isNamed(ref, tasks));
  return chance >= TRUSTED && labels.other < MAX_OTHER && isAsked;
}

function isNamed(ref: string, tasks: readonly KnownTask[]): boolean {
  if (readPosition(ref) !== undefined || isPronoun(ref)) return true;
  const found = resolveReference(ref, tasks, { ordered: [] });
  return found.kind !== 'none' && found.how !== 'overlap';
}

/** True if each of several names means a task. */
function areNamed(ref: string, tasks: readonly KnownTask[]): boolean {
  return isNamed(ref, tasks) || splitNames(ref).every((part) => isNamed(part, tasks));
}

function isFound(commands: readonly Command[], tasks: readonly KnownTask[]): boolean {
  return commands.every(({ slots: { ref }, targets }) => targets || ref === undefined || areNamed(ref, tasks));
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
      return chance < TRUSTED || (NEGATION.test(slots.title ?? '') && !NEGATION.test(other.title ?? ''));
    const { ref = '' } = slots;
    if (slots.when !== undefined && other.title !== undefined) return true;
    if (slots.title !== undefined && other.when !== undefined) return false;
    return areNamed(ref, tasks) || !areNamed(other.ref ?? '', tasks);
  });
}

/** "eggs, flour and sultanas" as one title and as three: the three are meant, unless the whole was asked for. */
function isSplit(commands: readonly Command[], learned: readonly Command[]): boolean {
  const areNew = [...commands, ...learned].every(({ action }) => action === 'create');
  if (!areNew || learned.length <= commands.length || commands.some(({ isWhole, isQuoted }) => isWhole || isQuoted))
    return false;
  return learned.every(({ slots: { title = '' } }) =>
    commands.some((one) => one.slots.title?.toLowerCase().includes(title.toLowerCase())),
  );
}

/** False for a greeting, a prohibition, other people's tasks: the grammar knows these for certain. */
export function isOpen(grammar: GrammarReading): boolean {
  return grammar.kind !== 'none' || grammar.isUnclear;
}

/** A task that is gone, done or renamed is missed; a wrong time is easily mended. */
function isGrave({ action, slots }: Command): boolean {
  return action === 'complete' || action === 'delete' || (action === 'update' && slots.title !== undefined);
}

function guessed(command: Command): Command {
  return command.action === 'create' ? command : { ...command, isGuess: true };
}

/** A grave change is asked about; any other one only if its task is not clearly named. */
function confirmed(command: Command): Command {
  if (isGrave(command)) return guessed(command);
  return command.action === 'update' ? { ...command, isDoubted: true } : command;
}

function isClear({ commands, isSure }: Commands): boolean {
  return isSure && commands.every(({ isGuess, isDoubted, missing }) => !isGuess && !isDoubted && missing === undefined);
}

function actionsOf(commands: readonly Command[]): string {
  return commands
    .map(({ action }) => action)
    .sort()
    .join();
}

/** Groups, exceptions, lengths of time, fields and words that look back have patterns of their own. */
function isSpecial({ action, shift, targets = [], slots }: Command): boolean {
  const { clear, except, filter, is_completed } = slots;
  if (action === 'undo' || action === 'dismiss' || action === 'restore') return true;
  return targets.length > 1 || [shift, clear, except, filter, is_completed].some((part) => part !== undefined);
}
