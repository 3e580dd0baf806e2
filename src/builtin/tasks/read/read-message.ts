import { dropSounds } from '../../../language/clean-text.ts';
import { expandDays } from '../../../language/short-forms.ts';
import { mendSmallWords } from '../../../language/typos.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems } from '../../../language/words.ts';
import { isDenied, isExpected, isImagined } from '../../../language/yes-no.ts';
import { MESSAGE_LABELS, type MessageLabel } from '../../reader/labels.ts';
import type { Reading } from '../../reader/reading.ts';
import type { Command, Slots } from '../command.ts';
import { type TaskContext, tasksOf, type Work } from '../context.ts';
import { readGroup } from '../group.ts';
import type { KnownTask } from '../known-task.ts';
import { areListWords, readFilter } from '../plain/list-forms.ts';
import { cleanReference } from '../reference.ts';
import { type MarkedAct, toActs } from './acts.ts';
import { type Read, toCommands } from './to-commands.ts';

/** Twice what a title may have; a longer message is no command, and reading it would take too long. */
export const MAX_READ_CHARS = 1_000;

/** A message as the learned reader gets it. */
export function asRead(text: string): string {
  return mendSmallWords(expandDays(dropSounds(text.slice(0, MAX_READ_CHARS))));
}

/** The proposal of the learned reader: commands, each with its evidence, or only a label. */
export interface Proposal {
  /** The likeliest label, and its chance. */
  label: MessageLabel;
  chance: number;
  commands?: Command[] | undefined;
}

const ACTING: ReadonlySet<string> = new Set(['add', 'done', 'reopen', 'del', 'move', 'ren', 'note', 'clear']);
/** The chances of a label and of the least sure word below which nothing is proposed. */
const LEAST = { label: 0.5, words: 0.35 };
/** The chance from which a report is likely: remarks about the thing of a task are worded like it. */
const REPORTED = 0.96;
/** The same from which a reading is likely. The words of a new title count more: they are what is written down. */
const LIKELY: Readonly<Record<MarkedAct['kind'], { label: number; words: number }>> = {
  add: { label: 0.85, words: 0.55 },
  done: { label: REPORTED, words: 0.5 },
  reopen: { label: 0.85, words: 0.4 },
  del: { label: 0.7, words: 0.35 },
  move: { label: 0.85, words: 0.45 },
  ren: { label: 0.7, words: 0.35 },
  note: { label: 0.85, words: 0.5 },
  clear: { label: 0.85, words: 0.5 },
};
/** The chance from which a new task is written down even where the end of its title is in doubt: undo is one word. */
const SURELY_NEW = 0.95;
/** Labels that say what to do with the task that was just spoken of, without words for it. */
const POINTING: ReadonlySet<string> = new Set(['done', 'reopen', 'del']);

/** Commands of the marks, where the labels of the message agree with them. */
export function* readMessage(context: TaskContext): Work<Proposal | undefined> {
  const { reading, zone, memory } = context;
  if (!reading) return undefined;
  const text = asRead(context.text);
  const { marks, chance: lowest } = withoutJunk(reading, context);
  const { labels } = reading;
  const label = MESSAGE_LABELS.reduce((best, name) => (labels[name] > labels[best] ? name : best));
  if (label === 'show') return { label, chance: labels.show, commands: [toList(text, reading, context)] };
  const marked = ACTING.has(label) ? toActs(text, { marks }) : [];
  const pointed: MarkedAct[] = POINTING.has(label) ? [{ kind: label as 'done', name: '', start: 0, end: 0 }] : [];
  const acts = marked.length > 0 ? marked : pointed;
  if (acts.length === 0) return { label, chance: labels[label] };
  const kinds = [...new Set(acts.map(({ kind }) => kind))];
  const chance = Math.min(lowest, ...kinds.map((kind) => labels[kind]));
  if (kinds.some((kind) => labels[kind] < LEAST.label) || lowest < LEAST.words) return { label, chance };
  const tasks = kinds.some((kind) => kind !== 'add') ? yield* tasksOf(context) : memory.known;
  const read = toCommands(acts, { tasks, memory, zone });
  return { label, chance, commands: read?.map((command) => withEvidence(command, text, { labels, lowest })) };
}

interface Chances {
  labels: Reading['labels'];
  /** The chance of the least sure word. */
  lowest: number;
}

function withEvidence({ act, ...command }: Read, text: string, { labels, lowest }: Chances): Command {
  const least = LIKELY[act.kind];
  const isOwn = act.kind === 'done' && OWN_REPORT.test(text.slice(0, act.end)) && labels.done >= OWN_REPORTED;
  const isNew = act.kind === 'add' && labels.add >= SURELY_NEW;
  const isHeard = isOwn || isNew || (labels[act.kind] >= least.label && lowest >= least.words);
  const isLikely = isHeard && !isDoubtful(act, text);
  const confidence = Math.round(Math.min(lowest, labels[act.kind]) * 100) / 100;
  return { ...command, confidence, evidence: isLikely ? 'likely' : 'unlikely' };
}

/** "I paid …": the user's own deed; what is "finished" may be the thing. */
const OWN_REPORT =
  /(?:^|[,.;!]\s+|\b(?:and|so|ok|yes|well)\s+)(?:i|we)(?:'ve| have)?(?:\s+(?:just|already|finally|also|now|both))*\s+(?!(?:finish|complet|did\b|done\b|am\b|was\b|can|will|need|have\b|had\b|want|like|think))\p{L}+/iu;
const OWN_REPORTED = 0.9;

const CLAUSE = /[.;!?\n]+|,\s+|\s-+\s|\s+(?:and|but|so)\s+/g;

/** Signs that turn a report round: "≠", "✗". */
const SIGN = /[≠✗✘❌❓⁉¿؟]|!=|=\/=|\(not\)/u;
/** Words behind a message that take it back. */
const TAKEN_BACK =
  /[,.!;…-]\s*(?:yeah,? right|not|not really|as if|i wish|on second thoughts?|just kidding|jk|said (?:nobody|no one)|or (?:maybe )?not|he (?:promised|says|said)|she (?:promised|says|said)|i guess|i think|no wait|wait no)\W*$/i;

const CANNOT = /\b(?:can't|cannot|couldn't|dnt)\b/i;

/** True if the clause of a change denies it, or is about what may be or will be. A new task may be either. */
function isDoubtful({ kind, start, end, when }: MarkedAct, text: string): boolean {
  if (kind === 'add' || kind === 'ren' || kind === 'note') return false;
  const breaks = [...text.matchAll(CLAUSE)];
  const from = Math.max(
    0,
    ...breaks.filter(({ index }) => index < start).map(({ 0: link, index }) => index + link.length),
  );
  const to = Math.min(text.length, ...breaks.filter(({ index }) => index >= end).map(({ index }) => index));
  const around = `${text.slice(from, start)} ${text.slice(end, to)}`;
  if (SIGN.test(text)) return true;
  const isUnreal = isImagined(around) || TAKEN_BACK.test(text);
  if (kind === 'done') return isUnreal || isDenied(around) || isExpected(around) || /[?؟]/.test(text.slice(end));
  if (/\bor\b/i.test(text.slice(start, end))) return true;
  const rest = when === undefined ? around : around.replace(when, ' ');
  if (kind === 'move' && (isUnreal || !isMoving(rest) || CANNOT.test(around))) return true;
  return /\?\s*$/.test(text) && !/\b(?:can|could|would|will) (?:you|u)\b|please/i.test(text);
}

/** A report in plain words still may be meant of the thing: the reader, which knows remarks, must find it too. */
export function settleReport(command: Command, reading: Reading | undefined): Command {
  if (!command.isReport || !reading) return command;
  return { ...command, evidence: reading.labels.done >= REPORTED ? 'likely' : 'unlikely' };
}

const MOVING =
  /\b(?:mov\w+|push\w*|shift\w*|resched\w*|postpon\w*|prepon\w*|bring|brought|delay\w*|bump\w*|slip\w*|slid\w*|instead|rather|earlier|later|sooner|make|made|chang\w+|switch\w*|set|put|give|better|meant|mean|sorry|actually|correction|due|deadline|pass|alter\w*|extend\w*|(?:is|are|'s) now|now (?:at|on)|wait|no|not|(?:should|must|ought to|will|had better|better) be|(?:is|are) for)\b/i;
const OF_OTHERS = /\b(?:his|hers?|theirs?|someone|somebody|too|cancelled|canceled|anywhere|away from)\b/i;

/** True if the words around a task and its time say that it is moved, or say nothing at all. */
function isMoving(around: string): boolean {
  return (
    !OF_OTHERS.test(around) &&
    (MOVING.test(around) ||
      contentStems(around).filter(
        (word) => word.length > 2 && !/^(?:for|the|and|are|was|please|pleas|now|then|same|time|hour)$/.test(word),
      ).length === 0)
  );
}

/** Below this chance a time that cannot be read is no time. */
const JUNK = 0.7;
const ALL = /^(?:all|all of them|everything|of|the|them|one|ones|of them)$/i;

/** Leaves out marks that mean nothing: a doubtful time that cannot be read, "all of them" behind a name. */
function withoutJunk(reading: Reading, { zone }: TaskContext): Pick<Reading, 'marks' | 'chance'> {
  const kept = reading.marks.filter(({ kind, text, chance }) => {
    if (chance >= JUNK) return true;
    if (kind === 'when')
      return extractWhen(text, zone) !== undefined || /\d|same|\b(?:after|later|earlier)\b/i.test(text);
    const hasName = reading.marks.some((other) => other.kind === kind && other.chance >= JUNK && !ALL.test(other.text));
    return !(ALL.test(text) && hasName);
  });
  if (kept.length === reading.marks.length) return reading;
  return { marks: kept, chance: Math.min(1, ...kept.map(({ chance }) => chance)) };
}

/** The tasks that a question is about: those of a time, of a state, or with some words. */
function toList(text: string, { marks, labels }: Reading, { zone }: TaskContext): Command {
  const slots: Slots = {};
  for (const { kind, text: words } of marks) {
    if (kind !== 'show') continue;
    const when = extractWhen(words, zone);
    const group = readGroup(words, zone);
    if (/\b(?:overdue|late)\b/i.test(words)) slots.when = 'overdue';
    else if (when && !/\p{L}{3,}/u.test(when.rest.replace(/\b(?:for|on|due|by|until|the)\b/gi, '')))
      slots.when = when.text;
    else if (group?.filter) slots.filter = group.filter;
    else if (!areListWords(words)) slots.ref = cleanReference(words);
  }
  if (slots.ref === '') delete slots.ref;
  const { filter, undated } = readFilter(text, zone);
  const told = slots.ref === undefined ? { ...(filter && { filter }), ...(undated && { undated }) } : {};
  return {
    action: 'list',
    confidence: Math.round(labels.show * 100) / 100,
    evidence: 'likely',
    slots: { ...told, ...slots },
  };
}

const OWN_REQUEST = 0.7;

/** True for a message that asks for something itself, and so does not answer an open question. */
export function isOwnRequest(reading: Reading | undefined): boolean {
  const named = reading?.marks.filter(({ kind }) => kind !== 'when' && kind !== 'to' && kind !== 'text') ?? [];
  return (
    named.length > 0 && named.every(({ kind, chance }) => ACTING.has(kind) && kind !== 'add' && chance >= OWN_REQUEST)
  );
}

const LABELS: Readonly<Partial<Record<Command['action'], readonly MessageLabel[]>>> = {
  complete: ['done'],
  delete: ['del'],
  update: ['move', 'ren', 'note', 'clear', 'reopen'],
};

/** True for a message that asks for another change than the one in question: "and Mia's dentist has moved to Friday". */
export function isOtherChange(reading: Reading | undefined, { action }: Command): boolean {
  const marks = reading?.marks.filter(({ kind }) => ACTING.has(kind)) ?? [];
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
