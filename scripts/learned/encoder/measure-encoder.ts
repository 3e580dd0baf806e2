/** Measures a trained encoder: `node scripts/learned/encoder/measure-encoder.ts <out folder> <set folder> [outside] [--misses]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agreeWith } from '../../../src/builtin/learned/agree.ts';
import { softmax } from '../../../src/builtin/learned/linear-tables.ts';
import { LEARNED_INTENTS, type LearnedIntent, WORD_TAGS } from '../../../src/builtin/learned/proposal.ts';
import { splitWords } from '../../../src/builtin/learned/split-words.ts';
import { type Propose, report } from '../measure.ts';
import { createEncoder, type Encoder, MAX_PIECES } from './encoder.ts';
import { readTables } from './encoder-tables.ts';
import { createWordPieces, type WordPieces } from './word-pieces.ts';

const [out = '', set = '', outside] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const encoder = createEncoder(
  readTables(new Uint8Array(readFileSync(join(out, 'encoder.bin'))), readJson(join(out, 'encoder-tables.json'))),
  readFileSync(new URL('encoder-kernel.wasm', import.meta.url)),
);
const vocabulary: { pieces: string[] } = readJson(join(set, 'vocabulary.json'));
const golden: { ids: number[]; intents: number[]; tags: number[][] }[] = readJson(join(out, 'golden.json'));
console.log(`largest difference from the training program: ${findDifference().toExponential(1)}`);
report(createEncoderProposer(encoder, createWordPieces(vocabulary.pieces)), outside, process.argv.includes('--misses'));

function createEncoderProposer({ run }: Encoder, pieces: WordPieces): Propose {
  return (text) => {
    const words = splitWords(text);
    const { ids, firsts } = pieces.encode(
      words.map((word) => word.text),
      MAX_PIECES,
    );
    const scores = run(ids);
    const chances = softmax(Float64Array.from(scores.intents));
    const best = LEARNED_INTENTS[chances.indexOf(Math.max(...chances))] ?? 'unknown';
    const tags = words.map((_, at) => {
      const row = scores.tags[firsts[at] ?? -1];
      return (row && WORD_TAGS[row.indexOf(Math.max(...row))]) ?? 'none';
    });
    const roles = agreeWith(best, tags);
    const entries = LEARNED_INTENTS.map((name, index) => [name, chances[index] ?? 0]);
    return {
      // The list has a value for each intent, in their order.
      intents: Object.fromEntries(entries) as Record<LearnedIntent, number>,
      words: words.map((word, at) => ({ ...word, tag: roles[at] ?? 'none' })),
    };
  };
}

function findDifference(): number {
  const gaps = golden.flatMap(({ ids, intents, tags }) => {
    const scores = encoder.run(ids);
    const rows = [scores.intents, ...scores.tags];
    return [intents, ...tags].flatMap((row, at) =>
      row.map((value, index) => Math.abs(value - (rows[at]?.[index] ?? 0))),
    );
  });
  return Math.max(...gaps);
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'));
}
