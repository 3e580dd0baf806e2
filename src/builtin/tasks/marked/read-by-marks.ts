import { extractWhen } from '../../../language/when.ts';
import { contentStems } from '../../../language/words.ts';
import { MESSAGE_LABELS, type MessageLabel } from '../../reader/labels.ts';
import type { Reading } from '../../reader/reading.ts';
import { cleanReference } from '../frames/clean-reference.ts';
import type { Slots } from '../frames/frame.ts';
import type { KnownTask } from '../known-task.ts';
import { type Command, lookUpTasks, type TaskContext, type Work } from '../task-context.ts';
import { readGroup } from './group-words.ts';
import { type MarkedAct, toActs } from './to-acts.ts';
import { toCommands } from './to-commands.ts';

/** The learned reading of a message, as commands. */
export interface MarkedReading {
  /** The likeliest label. */
  label: MessageLabel;
  labels: Reading['labels'];
  acts: readonly MarkedAct[];
  commands?: Command[] | undefined;
  /** The lowest probability of its labels and marks. */
  chance: number;
}

/** The chance below which the learned reading says nothing. */
export const LIKELY = 0.5;
const ACTING: ReadonlySet<MessageLabel> = new Set(['add', 'done', 'reopen', 'del', 'move', 'ren', 'note', 'clear']);

const OWN_REQUEST = 0.7;

/** True for a message that asks for something itself, and so does not answer an open question. */
export function isOwnRequest(reading: Reading | undefined): boolean {
  const named = reading?.marks.filter(({ kind }) => kind !== 'when' && kind !== 'to' && kind !== 'text') ?? [];
  return (
    named.length > 0 &&
    named.every(({ kind, chance }) => ACTING.has(kind as MessageLabel) && kind !== 'add' && chance >= OWN_REQUEST)
  );
}

const LABELS: Readonly<Partial<Record<Command['action'], readonly MessageLabel[]>>> = {
  complete: ['done'],
  delete: ['del'],
  update: ['move', 'ren', 'note', 'clear', 'reopen'],
};

/** True for a message that asks for another change than the one in question: "and Mia's dentist has moved to Friday". */
export function isOtherChange(reading: Reading | undefined, { action }: Command): boolean {
  const marks = reading?.marks.filter(({ kind }) => ACTING.has(kind as MessageLabel)) ?? [];
  const own = LABELS[action] ?? [];
  return (
    reading !== undefined &&
    marks.length > 0 &&
    marks.every(({ kind, chance }) => kind !== 'add' && chance >= OWN_REQUEST && !own.includes(kind as MessageLabel)) &&
    own.every((label) => reading.labels[label] < 1 - OWN_REQUEST)
  );
}

/** True for a message that adds a task: it chooses none of those that were named. */
export function isNewTask(reading: Reading | undefined, candidates: readonly KnownTask[]): boolean {
  const known = new Set(candidates.flatMap(({ title }) => contentStems(title)));
  const added = reading?.marks.filter(({ kind, chance }) => kind === 'add' && chance >= OWN_REQUEST) ?? [];
  return (
    (reading?.labels.add ?? 0) >= OWN_REQUEST &&
    added.some(({ text }) => contentStems(text).some((word) => !known.has(word)))
  );
}

/** True for a message that adds several tasks. */
export function addsSeveral(reading: Reading | undefined): boolean {
  return (reading?.marks.filter(({ kind, chance }) => kind === 'add' && chance >= LIKELY) ?? []).length > 1;
}

/** Commands of the marks, where the labels of the message agree with them. */
export function* readByMarks(
  text: string,
  reading: Reading | undefined,
  context: TaskContext,
): Work<MarkedReading | undefined> {
  if (!reading) return undefined;
  return yield* readMarks(text, withoutJunk(reading, context), context);
}

/** Below this chance a time that cannot be read is no time. */
const JUNK = 0.7;
const ALL = /^(?:all|all of them|everything|of|the|them|one|ones|of them)$/i;

/** Leaves out marks that mean nothing: a doubtful time that cannot be read, "all of them" behind a name. */
function withoutJunk(reading: Reading, { zone }: TaskContext): Reading {
  const kept = reading.marks.filter(({ kind, text, chance }) => {
    if (chance >= JUNK) return true;
    if (kind === 'when')
      return extractWhen(text, zone) !== undefined || /\d|same|\b(?:after|later|earlier)\b/i.test(text);
    const hasName = reading.marks.some((other) => other.kind === kind && other.chance >= JUNK && !ALL.test(other.text));
    return !(ALL.test(text) && hasName);
  });
  if (kept.length === reading.marks.length) return reading;
  return { ...reading, marks: kept, chance: Math.min(1, ...kept.map(({ chance }) => chance)) };
}

function* readMarks(text: string, reading: Reading, context: TaskContext): Work<MarkedReading> {
  const { labels } = reading;
  const label = MESSAGE_LABELS.reduce((best, name) => (labels[name] > labels[best] ? name : best));
  const acts = ACTING.has(label) ? toActs(text, reading) : [];
  const kinds = new Set(acts.map(({ kind }) => kind));
  const isAgreed = [...kinds].every((kind) => labels[kind] >= 0.5) && kinds.has(label as MarkedAct['kind']);
  const used = reading.marks.filter(({ kind }) => kind !== 'show');
  const chance = Math.min(
    reading.chance,
    ...used.map((mark) => mark.chance),
    ...[...kinds].map((kind) => labels[kind]),
  );
  const result = { label, labels, acts, chance: isAgreed ? chance : Math.min(chance, 0.4) };
  if (label === 'show') return { ...result, chance: labels.show, commands: [toList(reading, context)] };
  if (acts.length === 0) return { ...result, chance: labels[label] };
  if (result.chance < LIKELY) return result;
  const isChange = acts.some(({ kind }) => kind !== 'add');
  const looked = isChange ? yield* lookUpTasks(context) : { tasks: context.memory.known };
  const tasks = 'error' in looked ? context.memory.known : looked.tasks;
  const commands = toCommands(
    acts,
    { tasks, memory: context.memory, zone: context.zone },
    Math.round(chance * 100) / 100,
  );
  return { ...result, commands };
}

/** A word that only links a time to the question. */
const LINK = /^(?:in|on|at|for|by|due|the|my)$/i;

/** The tasks that a question is about: those of a time, of a state, or with some words. */
function toList({ marks, labels }: Reading, { zone }: TaskContext): Command {
  const shown = marks.filter(({ kind }) => kind === 'show').map(({ text }) => text);
  const slots: Slots = {};
  for (const words of shown) {
    const when = extractWhen(words, zone);
    const group = readGroup(words);
    if (/\b(?:overdue|late)\b/i.test(words)) slots.when = 'overdue';
    else if (when && !/\p{L}{3,}/u.test(when.rest.replace(/\b(?:for|on|due|by|until|the)\b/gi, '')))
      slots.when = when.text;
    else if (group) slots.filter = group.filter;
    else if (!LINK.test(words)) slots.ref = cleanReference(words);
  }
  return { action: 'list', confidence: Math.round(labels.show * 100) / 100, slots: slots.ref === '' ? {} : slots };
}
