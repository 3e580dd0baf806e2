/** Writes the training set of the encoder as numbers: `node scripts/learned/encoder/export-set.ts <model folder> <out folder>`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEARNED_INTENTS, WORD_TAGS } from '../../../src/builtin/learned/proposal.ts';
import { splitWords } from '../../../src/builtin/learned/split-words.ts';
import { generate, type LearnedExample, readPublic } from '../make-set.ts';
import { createRandom } from '../random.ts';
import { createWordPieces } from './word-pieces.ts';

const EPOCHS = 2;
const FILLS = 3;
/** Off-topic rows of the public sets per epoch. */
const OTHER_ROWS = 5000;
const FREQUENT = 6000;
const LIMIT = 96;

const [model = '', out = ''] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const source: { model: { vocab: Record<string, number> } } = JSON.parse(
  readFileSync(join(model, 'tokenizer.json'), 'utf8'),
);
const all = Object.entries(source.model.vocab)
  .sort((a, b) => a[1] - b[1])
  .map(([piece]) => piece);
const collected = readPublic('train');
const epochs = Array.from({ length: EPOCHS }, (_, epoch) => drawEpoch(epoch));
const kept = cutVocabulary(epochs.flat());
const pieces = createWordPieces(kept.map(({ piece }) => piece));
writeFileSync(
  join(out, 'vocabulary.json'),
  JSON.stringify({ pieces: kept.map(({ piece }) => piece), rows: kept.map(({ row }) => row) }),
);
writeFileSync(join(out, 'labels.json'), JSON.stringify({ intents: LEARNED_INTENTS, tags: WORD_TAGS }));
for (const [epoch, rows] of epochs.entries()) {
  writeFileSync(join(out, `epoch-${epoch}.jsonl`), rows.map(toLine).join('\n'));
}
console.log(`${kept.length} pieces, ${epochs.map((rows) => rows.length).join(' + ')} rows`);

/** Public task rows, some of the other public rows, and sentences that are drawn anew for each epoch. */
function drawEpoch(epoch: number): LearnedExample[] {
  const random = createRandom(100 + epoch);
  const tasks = collected.filter(({ intent }) => intent !== 'unknown');
  const others = shuffle(
    collected.filter(({ intent }) => intent === 'unknown'),
    random,
  ).slice(0, OTHER_ROWS);
  return shuffle([...tasks, ...others, ...generate(200 + epoch, FILLS)], random);
}

function shuffle<T>(list: readonly T[], random: { next(): number }): T[] {
  return list
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** Keeps pieces that the training text uses twice, the most frequent ones of the source, and all single characters. */
function cutVocabulary(rows: readonly LearnedExample[]): { piece: string; row: number }[] {
  const whole = createWordPieces(all);
  const counts = new Map<number, number>();
  for (const { text } of rows) {
    const { ids } = whole.encode(
      splitWords(text).map((word) => word.text),
      LIMIT,
    );
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
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

function toLine({ text, intent, tags }: LearnedExample): string {
  const { ids, firsts } = pieces.encode(
    splitWords(text).map((word) => word.text),
    LIMIT,
  );
  const marks = tags?.slice(0, firsts.length).map((tag) => WORD_TAGS.indexOf(tag)) ?? [];
  return JSON.stringify({ ids, firsts, intent: LEARNED_INTENTS.indexOf(intent), tags: marks });
}
