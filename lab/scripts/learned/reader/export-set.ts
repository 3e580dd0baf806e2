/** Writes the training set of the reader as numbers: `node lab/scripts/learned/reader/export-set.ts <model folder> <out folder> [left out] [earlier set]`. With an
 * earlier set its vocabulary is kept, so that training can go on from the reader of that set. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARK_KINDS, MESSAGE_LABELS } from '../../../../src/builtin/reader/labels.ts';
import { flagKnown } from '../../../../src/builtin/reader/reader.ts';
import { createWordPieces } from '../../../../src/builtin/reader/word-pieces.ts';
import { generate, readPublic } from '../make-set.ts';
import { createRandom, type Random } from '../random.ts';
import { roughen } from '../roughen.ts';
import { readSentences } from './from-sentences.ts';
import { toExample } from './from-templates.ts';
import { type Example, joinPieces, type MarkedRow, readMarked } from './read-marked.ts';

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
const STRANGER_SHARE = 0.15;

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
  const titles = random.chance(STRANGER_SHARE) ? [] : tasks;
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
