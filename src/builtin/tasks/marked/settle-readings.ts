import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems, stem } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import { offerChoices } from '../plan/offer-readings.ts';
import { isPronoun } from '../resolve-reference.ts';
import { findMentions, topicWords } from '../talk/mentions.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { isSameEffect, isUnknown, type Scene } from './agreement.ts';
import { CHANCES, chooseCommands, withDoubt } from './choose-commands.ts';
import {
  type Commands,
  confirmed,
  type GrammarReading,
  guessed,
  isChange,
  isClear,
  isGrave,
  isNamed,
  isQuestion,
} from './command-traits.ts';
import { isFarFetched, topicElsewhere } from './elsewhere.ts';
import { LIKELY, type MarkedReading } from './read-by-marks.ts';
import { settleLabel } from './settle-label.ts';
import { offerTitles } from './settle-new.ts';

/** The chance of another topic up to which the list is shown. */
const MAX_OTHER = 0.1;
/** Words that turn an order round or make it a thought: a change that the grammar does not hear is then only offered. */
const TURNED =
  /\b(?:not|n't|dont|never|no|nobody|without|almost|nearly|half|if|unless|should (?:i|we)|would|could have|might|maybe|wish|supposed|pretend|imagine|hardly|barely|except|but|or)\b|n't\b|\?\s*$/i;

/** Words that make a message a thought. */
const THOUGHT =
  /\b(?:if|unless|would|could have|wish|supposed|pretend|imagine|almost|nearly|or|is off|goes up|expires|was on|were on)\b|\?\s*$/i;

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
  /** The chance of another topic by the n-gram model. */
  offTopic: number;
  scene: Scene & { memory: TaskMemory };
}

/**
 * Chooses between the two readings of a message. Where both hear the same acts, the one that names them better counts; a
 * clear pattern gives way only to a sure learned reading; a change that only the learned one hears is confirmed unless
 * it is certain.
 */
export function settleReadings(choice: Choice): GrammarReading {
  const settled = chooseReading(choice);
  if (settled.kind !== 'commands' || !settled.commands.every(isChange)) return settled;
  return namesOther(choice.text, settled.commands, choice.scene) ?? settled;
}

function chooseReading({ text, grammar, learned, offTopic, scene }: Choice): GrammarReading {
  if (!learned || (grammar.kind === 'offer' && grammar.isFinal)) return grammar;
  const topic = topicElsewhere({ text, grammar, labels: learned.labels, offTopic, scene });
  if (topic) return elsewhere(topic, learned);
  const commands = asNew(grammar, learned.commands, scene);
  if (!commands) return settleLabel({ text, grammar, learned, memory: scene.memory });
  const { tasks, zone } = scene;
  if (grammar.kind !== 'commands' && isFarFetched(commands, offTopic, scene)) return elsewhere('elsewhere', learned);
  const heard = { kind: 'commands' as const, commands, isSure: true };
  if (learned.label === 'show') return grammar.kind === 'none' && isAnswerable(learned, tasks) ? heard : grammar;
  if (learned.chance < LIKELY || isWork(text, learned.acts)) return grammar;
  if (isTakenBack(text, learned.acts)) return isOneCommand(grammar) ? grammar : vague(text);
  if (isMendable({ text, grammar, learned: { ...learned, commands }, scene })) return heard;
  const offerNew = (chosen: readonly Command[]) =>
    offerTitles({ text, grammar, learned: { ...learned, commands }, chosen, zone });
  if (grammar.kind === 'commands') {
    const isSame = isSameEffect(grammar.commands, commands, scene) && !isQuestion(text);
    const same = isSame ? (namesOther(text, commands, scene) ?? agreed(text, grammar, learned, scene)) : undefined;
    if (same) return same;
    const choice = chooseCommands({ text, grammar, learned: { ...learned, commands }, scene });
    if (choice === 'grammar') return offerNew(grammar.commands) ?? grammar;
    if (choice === 'learned')
      return offerNew(commands) ?? { ...heard, commands: withDoubt(grammar.commands, commands) };
  }
  if (isQuestion(text) || FORGOTTEN.test(text)) return grammar;
  const offer = offerNew(commands);
  if (offer) return offer;
  if (grammar.kind !== 'commands' && commands.some((command) => isUnknown(command, scene)))
    return offerUnknown(grammar, commands, scene);
  const isNewToGrammar = grammar.kind === 'commands' && grammar.commands.every(({ action }) => action === 'create');
  if (
    (isNewToGrammar && commands.some(isChange)) ||
    TURNED.test(text) ||
    WISH.test(text) ||
    hasStranger(text, learned, tasks)
  )
    return { ...heard, commands: commands.map(guessed) };
  const doubted = grammar.kind === 'commands' ? withDoubt(grammar.commands, commands) : commands;
  return { ...heard, commands: learned.chance >= CHANCES.certain ? doubted : doubted.map(confirmed) };
}

/** A new time that only the learned reading hears clearly: it is easily mended, so it is set without a question. */
function isMendable({ text, grammar, learned, scene }: Heard): boolean {
  const { commands, chance } = learned;
  const areMoves = commands.every(
    (command) => command.slots.when !== undefined && command.action === 'update' && !isGrave(command),
  );
  if (!areMoves || chance < CHANCES.certain || THOUGHT.test(text) || WISH.test(text) || isQuestion(text)) return false;
  const isClearer = grammar.kind === 'commands' && isClear(grammar);
  const isElsewhere = hasStranger(text, learned, scene.tasks) || namesOther(text, commands, scene) !== undefined;
  return !isClearer && !isElsewhere && !commands.some((command) => isUnknown(command, scene));
}

interface Heard extends Omit<Choice, 'learned' | 'offTopic'> {
  learned: MarkedReading & { commands: Command[] };
}

/** "oil change the day after": a time for words that name no task, where the grammar hears a new one. */
function asNew(grammar: GrammarReading, commands: Command[] | undefined, scene: Scene): Command[] | undefined {
  if (grammar.kind !== 'commands' || !grammar.commands.every(({ action }) => action === 'create')) return commands;
  return commands?.map((command) => {
    const { ref = '', when } = command.slots;
    if (command.action !== 'update' || when === undefined || !isUnknown(command, scene)) return command;
    return {
      action: 'create',
      confidence: command.confidence,
      slots: { title: ref, when },
      isWhole: true,
      isQuoted: true,
    };
  });
}

/** "pharmacy make it half 3": a task is named outside of the words that were marked, so "it" may be that one. */
function namesOther(text: string, commands: readonly Command[], { tasks, memory }: Scene): GrammarReading | undefined {
  const [only, another] = commands;
  const mentioned = findMentions(
    text,
    tasks.filter(({ is_completed }) => !is_completed),
  );
  if (!only || another || !isPronoun(only.slots.ref ?? '') || mentioned.kind !== 'one' || !mentioned.isHead)
    return undefined;
  if (mentioned.task.id === memory.last?.id) return undefined;
  return { kind: 'commands', commands: [{ ...guessed(only), targets: [mentioned.task] }], isSure: true };
}

/** Two readings that mean the same change need no question; a grave change only if nothing turns the message round. */
function agreed(
  text: string,
  grammar: Commands,
  { chance, commands = [], acts }: MarkedReading,
  { memory }: Scene,
): GrammarReading | undefined {
  // "the office called, Friday not Thursday": nothing of the last task is said, so that both only guess it.
  const known = new Set(contentStems(memory.last?.title ?? ''));
  const said = acts.reduce((words, { when = '' }) => words.replace(when, ' '), text);
  const isFar = commands.some(({ slots: { ref } }) => isPronoun(ref ?? '')) && topicWords(said).length > 1;
  if (isFar && !topicWords(said).some((word) => known.has(stem(word)))) return undefined;
  const isMoved = !commands.some(isGrave);
  const isSure = isMoved || (chance >= CHANCES.agreed && !TURNED.test(text));
  // "ring Ann on Friday" and "Ann Friday" may be the task of that name or a new one; "it ought to be Friday" is a wish.
  const isBare = acts.length === 1 && letters(`${acts[0]?.name}${acts[0]?.when}`) === letters(text);
  const isOpen = isBare || startsWithVerb(cleanText(text)) || WISH.test(text);
  if (!isSure || (isMoved && isOpen)) return undefined;
  return {
    ...grammar,
    commands: grammar.commands.map((command) => ({ ...command, isGuess: false, isDoubted: false })),
  };
}

const letters = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

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

/** The understanding of a message that is about something else. */
function elsewhere(topic: 'elsewhere' | 'help', { labels: { other, chat, help } }: MarkedReading): GrammarReading {
  const understood = { kind: 'other', topic, confidence: Math.max(other, chat, help) } as const;
  return { kind: 'none', understood, isUnclear: true };
}

function vague(words: string): GrammarReading {
  return { kind: 'none', understood: { kind: 'vague', words, readings: [], confidence: 0.5 }, isUnclear: true };
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
  return chance >= CHANCES.titles && labels.other < MAX_OTHER && isAsked;
}

/** False for a greeting, a prohibition, other people's tasks: the grammar knows these for certain. */
export function isOpen(grammar: GrammarReading): boolean {
  return grammar.kind !== 'none' || grammar.isUnclear;
}
