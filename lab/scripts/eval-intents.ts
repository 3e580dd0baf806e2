import { readFileSync } from 'node:fs';
import { createReader, type Sentence } from '../../src/builtin/sentences-fixture.ts';
import type { Intent } from '../../src/schema/domain.ts';
import { findData } from './find-data.ts';
import { ERRAND } from './learned/make-set.ts';

const SLOTS = ['title', 'ref', 'filter', 'when'] as const;

export interface Miss {
  text: string;
  expected: string;
  got: string;
}

export interface SentenceScore {
  count: number;
  intents: number;
  clarificationF1: number;
  slots: number;
  misses: Miss[];
}

/**
 * Scores intents and slots of labelled sentences. Slots count for commands with the right intent: all must match
 * exactly.
 */
export function scoreSentences(sentences: readonly Sentence[], read = createReader()): SentenceScore {
  const rows = sentences.map((sentence) => ({ sentence, intent: read(sentence.text).intent }));
  const right = rows.filter(({ sentence, intent }) => intent.name === sentence.intent);
  const slotted = rows.filter(({ sentence }) => Object.keys(sentence.slots).length > 0);
  const slotsRight = slotted.filter(
    ({ sentence, intent }) => intent.name === sentence.intent && sameSlots(sentence, intent),
  );
  return {
    count: rows.length,
    intents: right.length / rows.length,
    clarificationF1: f1(rows.map(({ sentence, intent }) => [sentence.intent, intent.name])),
    slots: slotsRight.length / Math.max(1, slotted.length),
    misses: rows.flatMap(({ sentence, intent }) => describeMiss(sentence, intent)),
  };
}

function sameSlots({ slots }: Sentence, { parameters }: Intent): boolean {
  return SLOTS.every((name) => (slots[name] ?? '') === String(parameters[name] ?? ''));
}

function f1(pairs: readonly (readonly [string, string])[]): number {
  const isClarify = (name: string) => name === 'clarification_needed';
  const both = pairs.filter(([expected, got]) => isClarify(expected) && isClarify(got)).length;
  const either =
    pairs.filter(([expected]) => isClarify(expected)).length + pairs.filter(([, got]) => isClarify(got)).length;
  return either === 0 ? 1 : (2 * both) / either;
}

function describeMiss(sentence: Sentence, intent: Intent): Miss[] {
  const isRight =
    intent.name === sentence.intent && (Object.keys(sentence.slots).length === 0 || sameSlots(sentence, intent));
  if (isRight) return [];
  const show = (name: string, slots: object) => `${name} ${JSON.stringify(slots)}`;
  return [
    { text: sentence.text, expected: show(sentence.intent, sentence.slots), got: show(intent.name, intent.parameters) },
  ];
}

export interface CollectedScore {
  count: number;
  all: number;
  tasks: number;
  /** Messages about something else that were not answered with `unknown`; a question back counts too. */
  falseAccepts: number;
  misses: Miss[];
  /** Misses that the words alone do not decide, counted by kind. */
  undecided: Record<string, number>;
}

/**
 * Kinds of rows whose label differs from what this program does on purpose. They count as misses all the same.
 * "I need to pay my bill" is a task here and banking there; a command that lacks a part leads to a question back.
 */
const UNDECIDED: readonly [string, (row: Miss) => boolean][] = [
  [
    'off-topic by label, worded like an errand ("i need to pay my bill")',
    ({ text, expected, got }) => expected === 'unknown' && got === 'create_task' && ERRAND.test(text),
  ],
  [
    'about tasks, but a part is missing: the user is asked ("create a reminder")',
    ({ expected, got }) => expected !== 'unknown' && got === 'clarification_needed',
  ],
  [
    'off-topic, one word: the user is asked ("swimming")',
    ({ text, expected, got }) => expected === 'unknown' && got === 'clarification_needed' && !/\s/.test(text.trim()),
  ],
  [
    'labelled as a new task by a verb rule, although the words delete or complete ("wipe my list")',
    ({ expected, got }) => expected === 'create_task' && /^(?:delete|complete)_task$/.test(got),
  ],
];

/** Scores collected messages, nearly all about something else. */
export function scoreCollected(name: string, read = createReader()): CollectedScore {
  const rows = readFileSync(findData(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; intent: string })
    .map(({ text, intent }) => ({ text, expected: intent, got: read(text).intent.name }));
  const share = (part: typeof rows, whole: typeof rows) => part.length / Math.max(1, whole.length);
  const tasks = rows.filter((row) => row.expected !== 'unknown');
  const others = rows.filter((row) => row.expected === 'unknown');
  const misses = rows.filter((row) => row.got !== row.expected);
  return {
    count: rows.length,
    all: share(
      rows.filter((row) => row.got === row.expected),
      rows,
    ),
    tasks: share(
      tasks.filter((row) => row.got === row.expected),
      tasks,
    ),
    falseAccepts: share(
      others.filter((row) => row.got !== 'unknown'),
      others,
    ),
    misses,
    undecided: Object.fromEntries(UNDECIDED.map(([kind, isOne]) => [kind, misses.filter(isOne).length])),
  };
}
