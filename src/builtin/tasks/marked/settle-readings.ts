import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems, readPosition, stem } from '../../../language/words.ts';
import type { PlanReply } from '../../plan.ts';
import type { MessageLabel } from '../../reader/labels.ts';
import { splitNames } from '../find-group.ts';
import { readQuestion } from '../frames/read-question.ts';
import type { KnownTask } from '../known-task.ts';
import { offerChoices } from '../plan/offer-readings.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { topicWords } from '../talk/mentions.ts';
import { peel } from '../talk/peel.ts';
import type { Command, Pending } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import type { Understanding } from '../understand.ts';
import { isSameEffect, isUnknown, type Scene } from './agreement.ts';
import { LIKELY, type MarkedReading } from './read-by-marks.ts';
import { isSplit, offerTitles } from './settle-new.ts';

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
/** The chance from which a grave change that both readings hear needs no question. */
const AGREED = 0.85;
/** The chance of a label without marked words from which something is taken back. */
const BACK = 0.8;
/** The chance of small talk from which the grammar is doubted. */
const VETO = 0.9;
/** The chance from which a change that only the learned reading finds is made without a question. */
const CERTAIN = 0.6;
/** Words that turn an order round or make it a thought: a change that the grammar does not hear is then only offered. */
const TURNED =
  /\b(?:not|n't|dont|never|no|nobody|without|almost|nearly|half|if|unless|should (?:i|we)|would|could have|might|maybe|wish|supposed|pretend|imagine|hardly|barely|except|but|or)\b|n't\b|\?\s*$/i;

/** Something that is wished for is asked about. */
const WISH = /\b(?:ought|should|might|could|maybe|perhaps|probably|wish)\b/i;
/** Something that was not done is no order. */
const FORGOTTEN = /\b(?:forgot|forgotten|missed)\b/i;
/** Longer messages have words that say nothing of a task. */
const MAX_SHORT_WORDS = 6;

interface Choice {
  text: string;
  grammar: GrammarReading;
  learned: MarkedReading | undefined;
  scene: Scene & { memory: TaskMemory };
}

/**
 * Chooses between the two readings of a message. Where both hear the same acts, the one that names them better counts; a
 * clear pattern gives way only to a sure learned reading; a change that only the learned one hears is confirmed unless
 * it is certain.
 */
export function settleReadings({ text, grammar, learned, scene }: Choice): GrammarReading {
  if (!learned) return grammar;
  const { commands } = learned;
  if (!commands) return settleLabel({ text, grammar, learned, scene });
  const { tasks, zone } = scene;
  const heard = { kind: 'commands' as const, commands, isSure: true };
  if (learned.label === 'show') return grammar.kind === 'none' && isAnswerable(learned, tasks) ? heard : grammar;
  if (learned.chance < LIKELY || isWork(text, learned.acts)) return grammar;
  if (isTakenBack(text, learned.acts)) return isOneCommand(grammar) ? grammar : vague(text);
  const offerNew = (chosen: readonly Command[]) =>
    offerTitles({ text, grammar, learned: { ...learned, commands }, chosen, zone });
  if (grammar.kind === 'commands') {
    if (isSameEffect(grammar.commands, commands, scene) && !isQuestion(text)) return agreed(text, grammar, learned);
    const choice = chooseCommands({ text, grammar, learned, scene });
    if (choice === 'grammar') return offerNew(grammar.commands) ?? grammar;
    if (choice === 'learned')
      return offerNew(commands) ?? { ...heard, commands: withDoubt(grammar.commands, commands) };
  }
  if (isQuestion(text) || FORGOTTEN.test(text)) return grammar;
  const offer = offerNew(commands);
  if (offer) return offer;
  if (grammar.kind !== 'commands' && commands.some((command) => isUnknown(command, scene)))
    return offerUnknown(grammar, commands, scene);
  const isConfirmed = grammar.kind === 'commands' && learned.chance < SURE && commands.some(isChange);
  if (isConfirmed || TURNED.test(text) || hasStranger(text, learned, tasks))
    return { ...heard, commands: commands.map(guessed) };
  return learned.chance >= CERTAIN ? heard : { ...heard, commands: commands.map(confirmed) };
}

/** Two readings that mean the same change need no question; a grave change only if nothing turns the message round. */
function agreed(text: string, grammar: Commands, { chance, commands = [] }: MarkedReading): GrammarReading {
  const isSure = !commands.some(isGrave) || (chance >= AGREED && !TURNED.test(text));
  // "ring Ann on Friday" may be the task of that name or a new one, and "it ought to be on Friday" is a wish.
  if (!isSure || startsWithVerb(cleanText(text)) || WISH.test(text)) return grammar;
  return {
    ...grammar,
    commands: grammar.commands.map((command) => ({ ...command, isGuess: false, isDoubted: false })),
  };
}

/** A time for words that name no task: a new task may be meant. */
function offerUnknown(grammar: GrammarReading, commands: readonly Command[], { zone }: Scene): GrammarReading {
  if (grammar.kind === 'offer') return grammar;
  const [only, another] = commands;
  const { ref = '', when } = only?.slots ?? {};
  if (!only || another || only.action !== 'update' || when === undefined || !extractWhen(when, zone))
    return { kind: 'commands', commands: [...commands], isSure: true };
  const create: Command = {
    action: 'create',
    confidence: only.confidence,
    slots: { title: ref, when },
    isQuoted: true,
  };
  return { kind: 'offer', reply: offerChoices([[create]], { confidence: only.confidence }) };
}

/** Labels that ask for nothing. */
const IDLE: ReadonlySet<MessageLabel> = new Set(['chat', 'other', 'unclear', 'yes', 'no', 'pick', 'cancel']);

/** The learned reading marks no words: its label may doubt the grammar, or say what is taken back. */
function settleLabel({ text, grammar, learned, scene }: Choice & { learned: MarkedReading }): GrammarReading {
  const { label, labels } = learned;
  const { memory } = scene;
  const take = (command: Command): GrammarReading => ({ kind: 'commands', commands: [command], isSure: true });
  if (grammar.kind !== 'commands') {
    if (isQuestion(text) || memory.changes.length === 0) return grammar;
    if (label === 'undo' && labels.undo >= BACK) return take({ action: 'undo', confidence: 0.8, slots: {} });
    const [change, another] = memory.changes;
    const isReopened = label === 'reopen' && labels.reopen >= BACK && change?.action === 'complete';
    if (isReopened && !another && memory.isJustChanged)
      return take({
        action: 'update',
        confidence: 0.8,
        slots: { ref: change.task.title, is_completed: false },
        targets: [change.task],
      });
    return grammar;
  }
  if (!IDLE.has(label) || labels[label] < VETO) return grammar;
  const isAnnounced = peel(text).asking === 'add';
  const { commands } = grammar;
  if (commands.every(({ action, isQuoted, missing }) => action === 'create' && !isQuoted && missing === undefined))
    return isAnnounced ? grammar : { kind: 'offer', reply: offerChoices([commands], { confidence: 0.5 }) };
  return commands.some(isGrave) ? { ...grammar, commands: commands.map(guessed) } : grammar;
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
function chooseCommands({ text, grammar, learned, scene }: Both): 'grammar' | 'learned' | undefined {
  const { commands = [], chance, acts } = learned;
  const { tasks } = scene;
  if (isHeardWrong(grammar, learned, scene)) return chance >= AGREED ? 'learned' : undefined;
  if (isLastWord(text, grammar, learned)) return 'learned';
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
  // "practice got moved to 6" is no errand: where nothing announces a new task, the change is asked about.
  const areNew = grammar.commands.every(({ action }) => action === 'create');
  if (areNew && !isFinal && commands.every(isChange) && peel(text).asking === 'none') return undefined;
  return isFinal || chance < SURE || kinds(grammar.commands) > kinds(commands) ? 'grammar' : undefined;
}

interface Both extends Choice {
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
  return isDismissed && chance >= SURE && labels.undo + labels.cancel < 0.5 && /[.;!]\s/.test(text.slice(0, start));
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

/** False for a greeting, a prohibition, other people's tasks: the grammar knows these for certain. */
export function isOpen(grammar: GrammarReading): boolean {
  return grammar.kind !== 'none' || grammar.isUnclear;
}

/** A task that is gone, done or renamed is missed; a wrong time is easily mended. */
function isGrave({ action, slots }: Command): boolean {
  return action === 'complete' || action === 'delete' || (action === 'update' && slots.title !== undefined);
}

function isChange({ action }: Command): boolean {
  return action === 'complete' || action === 'delete' || action === 'update';
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
