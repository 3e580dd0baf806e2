/** Writes the training set of the reader as numbers: `node lab/scripts/learned/reader/export-set.ts <model folder> <out folder> [left out] [earlier set]`. With an
 * earlier set its vocabulary is kept, so that training can go on from the reader of that set. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARK_KINDS, type MarkKind, MESSAGE_LABELS, type MessageLabel } from '../../../../src/builtin/reader/labels.ts';
import { flagKnown } from '../../../../src/builtin/reader/reader.ts';
import { createWordPieces, splitWords } from '../../../../src/builtin/reader/word-pieces.ts';
import { readSentenceLines } from '../../eval-outside.ts';
import { generate, type LearnedExample, readPublic } from '../make-set.ts';
import { createRandom, type Random } from '../random.ts';
import { roughen } from '../roughen.ts';
import type { LearnedIntent, WordTag } from '../template-labels.ts';
import { type Example, joinPieces, type MarkedRow, type Piece, readMarked } from './read-marked.ts';

type Kinds = Partial<Record<WordTag, MarkKind>>;

/** Kinds of marks for the roles of an older set, by what the sentence asks for. */
const KINDS: Partial<Record<LearnedIntent, { label: MessageLabel; kinds: Kinds }>> = {
  create: { label: 'add', kinds: { title: 'add', when: 'when', description: 'text' } },
  list: { label: 'show', kinds: { filter: 'show', ref: 'show', when: 'show' } },
  complete: { label: 'done', kinds: { ref: 'done', filter: 'done', except: 'except' } },
  delete: { label: 'del', kinds: { ref: 'del', filter: 'del', except: 'except' } },
  reopen: { label: 'reopen', kinds: { ref: 'reopen', filter: 'reopen', except: 'except' } },
  undo: { label: 'undo', kinds: {} },
  confirm: { label: 'yes', kinds: {} },
  deny: { label: 'no', kinds: {} },
  cancel: { label: 'cancel', kinds: {} },
  keep: { label: 'chat', kinds: {} },
  help: { label: 'help', kinds: {} },
  clarify: { label: 'unclear', kinds: {} },
  unknown: { label: 'other', kinds: {} },
};

/** Shares of words that count as words of the user's tasks: names of tasks nearly always, other words hardly ever. */
const KNOWN_SHARE = { ref: 0.85, other: 0.03 };
/** Share of sentences to somebody whose tasks are not known. */
const STRANGER_SHARE = 0.3;

/** A sentence of the templates or of the public sets with the roles of the reader; undefined where they do not fit. */
function toExample(row: LearnedExample, random: Random): Example | undefined {
  const plan = KINDS[row.intent] ?? planChange(row);
  if (!plan) return undefined;
  if (!row.segments) return toPublic(row.text, plan.label);
  const pieces: Piece[] = row.segments.map(({ text, tag }) => ({ text, tag: plan.kinds[tag] ?? 'none' }));
  const { words, roles } = joinPieces(pieces);
  return { words, roles, labels: [plan.label], flags: drawFlags(roles, random) };
}

/** Public rows name no words; only those that ask for something else have no marks for sure. */
function toPublic(text: string, label: MessageLabel): Example {
  const words = splitWords(text).map((word) => word.text);
  const none = words.map(() => 0);
  return { words, labels: [label], flags: none, ...(label === 'other' && { roles: none }) };
}

/** A change is named by what it brings. */
function planChange({ intent, segments = [] }: LearnedExample): { label: MessageLabel; kinds: Kinds } | undefined {
  if (intent !== 'update' && intent !== 'correct') return undefined;
  const has = (tag: WordTag) => segments.some((segment) => segment.tag === tag);
  if (has('new')) return { label: 'ren', kinds: { ref: 'ren', new: 'to' } };
  if (has('when')) return { label: 'move', kinds: { ref: 'move', filter: 'move', when: 'when' } };
  if (has('description')) return { label: 'note', kinds: { ref: 'note', description: 'text' } };
  return undefined;
}

function drawFlags(roles: readonly number[], random: Random): number[] {
  const isStranger = random.chance(STRANGER_SHARE);
  const isKnown = random.chance(KNOWN_SHARE.ref);
  return roles.map((role) => {
    if (isStranger) return 0;
    const isRef = role > 0 && REF_ROLES.has((role - 1) >> 1);
    return (isRef ? isKnown && random.chance(0.9) : random.chance(KNOWN_SHARE.other)) ? 1 : 0;
  });
}

/** Places in MARK_KINDS of the kinds that name a task of the user. */
const REF_ROLES: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 11, 12]);

type SlotKinds = Readonly<Record<string, MarkKind>>;
const SHOWN: SlotKinds = { ref: 'show', when: 'show', filter: 'show' };

/** Sentences of outside authors that were learnt from, as marked messages. Rows whose slots are not in the text are left out. */
function readSentences(sets: readonly string[]): MarkedRow[] {
  return sets.flatMap((set) => readSentenceLines(`2026-11-${set}`).flatMap((line) => toRow(line, set) ?? []));
}

function toRow(line: string, file: string): MarkedRow | undefined {
  const [intent = '', text = '', written = ''] = line.split('\t');
  const slots = new Map(written.split(';').flatMap((part) => (part.includes('=') ? [splitSlot(part)] : [])));
  const plan = planOf(intent, slots);
  if (!plan) return undefined;
  const pieces = cut(text, slots, plan.kinds);
  const ref = slots.get('ref');
  return (
    pieces && { labels: [plan.label], pieces, tasks: ref === undefined || plan.label === 'show' ? [] : [ref], file }
  );
}

function splitSlot(part: string): [string, string] {
  const at = part.indexOf('=');
  return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

function planOf(
  intent: string,
  slots: ReadonlyMap<string, string>,
): { label: MessageLabel; kinds: SlotKinds } | undefined {
  if (intent === 'create_task') return { label: 'add', kinds: { title: 'add', when: 'when', description: 'text' } };
  if (intent === 'list_tasks') return { label: 'show', kinds: SHOWN };
  if (intent === 'complete_task') return { label: 'done', kinds: { ref: 'done', except: 'except' } };
  if (intent === 'delete_task') return { label: 'del', kinds: { ref: 'del', except: 'except' } };
  if (intent === 'undo') return { label: 'undo', kinds: {} };
  if (intent === 'get_help') return { label: 'help', kinds: {} };
  if (intent === 'unknown') return { label: 'other', kinds: {} };
  if (intent !== 'update_task') return { label: 'unclear', kinds: {} };
  if (slots.has('new_title') || slots.has('title'))
    return { label: 'ren', kinds: { ref: 'ren', new_title: 'to', title: 'to', when: 'when' } };
  if (slots.has('when')) return { label: 'move', kinds: { ref: 'move', when: 'when' } };
  return slots.has('description') ? { label: 'note', kinds: { ref: 'note', description: 'text' } } : undefined;
}

/** Finds the words of each slot in the text; undefined if one is missing or two overlap. */
function cut(text: string, slots: ReadonlyMap<string, string>, kinds: SlotKinds): Piece[] | undefined {
  const found: { start: number; end: number; tag: MarkKind }[] = [];
  for (const [name, words] of slots) {
    const tag = kinds[name];
    if (!tag) continue;
    const start = text.toLowerCase().indexOf(words.toLowerCase());
    if (start < 0) return undefined;
    found.push({ start, end: start + words.length, tag });
  }
  found.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let from = 0;
  for (const { start, end, tag } of found) {
    if (start < from) return undefined;
    pieces.push({ text: text.slice(from, start), tag: 'none' }, { text: text.slice(start, end), tag });
    from = end;
  }
  return [...pieces, { text: text.slice(from), tag: 'none' as const }].filter((piece) => piece.text !== '');
}

/** Two epochs from the source's weights, and a third one that goes on from there. */
const EPOCHS = 3;
/** Sentences drawn from each template, and copies of each marked message, in an epoch. */
const FILLS = 1;
const COPIES = 2;
/** Off-topic rows of the public sets per epoch. */
const OTHER_ROWS = 6000;
const FREQUENT = 5000;
const LIMIT = 96;
/** Share of marked messages that are written as to somebody whose tasks are not known. */
const MARKED_STRANGER_SHARE = 0.15;

const [model = '', out = '', leftOut = 'nothing', earlier] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const source: { model: { vocab: Record<string, number> } } = JSON.parse(
  readFileSync(join(model, 'tokenizer.json'), 'utf8'),
);
const all = Object.entries(source.model.vocab)
  .sort((a, b) => a[1] - b[1])
  .map(([piece]) => piece);
const collected = readPublic('train');
const marked = [
  ...readMarked(),
  ...readSentences(['16', '17a', '17b', '17c', '17d', '17e', '17f', '17h', '17i']),
].filter(({ file }) => !file.includes(leftOut));
const epochs = Array.from({ length: EPOCHS }, (_, epoch) => drawEpoch(epoch));
const kept = earlier === undefined ? cutVocabulary(epochs.slice(0, 2).flat()) : readVocabulary(earlier);
const pieces = createWordPieces(kept.map(({ piece }) => piece));
writeFileSync(
  join(out, 'vocabulary.json'),
  JSON.stringify({ pieces: kept.map(({ piece }) => piece), rows: kept.map(({ row }) => row) }),
);
writeFileSync(join(out, 'labels.json'), JSON.stringify({ labels: MESSAGE_LABELS, kinds: MARK_KINDS }));
for (const [epoch, rows] of epochs.entries()) {
  writeFileSync(join(out, `epoch-${epoch}.jsonl`), rows.map(toLine).join('\n'));
}
console.log(`${kept.length} pieces, ${marked.length} marked, ${epochs.map((rows) => rows.length).join(' + ')} rows`);

function readVocabulary(folder: string): { piece: string; row: number }[] {
  const { pieces: names, rows }: { pieces: string[]; rows: number[] } = JSON.parse(
    readFileSync(join(folder, 'vocabulary.json'), 'utf8'),
  );
  return names.map((piece, index) => ({ piece, row: rows[index] ?? 0 }));
}

/** Public task rows, some of the other public rows, marked messages, and sentences that are drawn anew for each epoch. */
function drawEpoch(epoch: number): Example[] {
  const random = createRandom(100 + epoch);
  const tasks = collected.filter(({ intent }) => intent !== 'unknown');
  const others = shuffle(
    collected.filter(({ intent }) => intent === 'unknown'),
    random,
  ).slice(0, OTHER_ROWS);
  const drawn = [...tasks, ...others, ...generate(200 + epoch, FILLS)].flatMap((row) => toExample(row, random) ?? []);
  const copies = Array.from({ length: COPIES }, (_, copy) => marked.map((row) => drawMarked(row, random, copy > 0)));
  return shuffle([...drawn, ...copies.flat()], random);
}

/** A marked message as it was written, or as somebody in a hurry would type it. */
function drawMarked({ pieces: written, labels, tasks }: MarkedRow, random: Random, isRough: boolean): Example {
  const { words, roles } = joinPieces(isRough ? roughen(written, random) : written);
  const titles = random.chance(MARKED_STRANGER_SHARE) ? [] : tasks;
  return { words, roles, labels, flags: flagKnown(words, titles) };
}

function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** Keeps pieces that the training text uses twice, the most frequent ones of the source, and all single characters. */
function cutVocabulary(rows: readonly Example[]): { piece: string; row: number }[] {
  const whole = createWordPieces(all);
  const counts = new Map<number, number>();
  for (const { words } of rows) {
    for (const id of whole.encode(words, LIMIT).ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const special = new Set(['[UNK]', '[CLS]', '[SEP]']);
  const words = all
    .map((piece, row) => ({ piece, row }))
    .filter(({ piece }) => !/^\[.*\]$/.test(piece) || special.has(piece));
  let rank = 0;
  return words.filter(({ piece, row }) => {
    if (special.has(piece) || (counts.get(row) ?? 0) >= 2) return true;
    if (/^(?:##)?[ -~]$/.test(piece)) return true;
    return /^(?:##)?[a-z0-9']+$/.test(piece) && rank++ < FREQUENT;
  });
}

function toLine({ words, labels, roles, flags }: Example): string {
  const { ids, firsts } = pieces.encode(words, LIMIT);
  const marks = roles?.slice(0, firsts.length) ?? [];
  const known = firsts.filter((_, at) => flags[at] === 1);
  return JSON.stringify({
    ids,
    firsts,
    known,
    labels: labels.map((label) => MESSAGE_LABELS.indexOf(label)),
    roles: marks,
  });
}
