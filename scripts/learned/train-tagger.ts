import { bestPath } from '../../src/builtin/learned/best-path.ts';
import { WORD_TAGS, type WordTag } from '../../src/builtin/learned/proposal.ts';
import { splitWords } from '../../src/builtin/learned/split-words.ts';
import { type Lexicon, prepareWords, TAG_BITS, tagFeatures } from '../../src/builtin/learned/tag-features.ts';
import type { LearnedExample } from './make-set.ts';
import { createRandom } from './random.ts';

const CLASSES = WORD_TAGS.length;

export interface Tagger {
  weights: Float32Array;
  /** Scores of neighbouring tags; the last row is for the first word. */
  transitions: Float32Array;
}

interface Row {
  columns: number[][];
  gold: number[];
}

/** Averaged structured perceptron over whole sentences. */
export function trainTagger(examples: readonly LearnedExample[], lexicon: Lexicon, epochs: number): Tagger {
  const rows = examples.flatMap((example) => (example.tags ? [toRow(example.text, example.tags, lexicon)] : []));
  const now = {
    weights: new Float32Array((1 << TAG_BITS) * CLASSES),
    transitions: new Float32Array((CLASSES + 1) * CLASSES),
  };
  const late = { weights: new Float32Array(now.weights.length), transitions: new Float32Array(now.transitions.length) };
  const random = createRandom(11);
  const total = rows.length * epochs;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const row of shuffled(rows, random)) learn(now, late, row, step++ / total);
  }
  // The average is the last state minus each change times the share of steps before it.
  return {
    weights: now.weights.map((weight, at) => weight - (late.weights[at] ?? 0)),
    transitions: now.transitions.map((weight, at) => weight - (late.transitions[at] ?? 0)),
  };
}

function toRow(text: string, tags: readonly WordTag[], lexicon: Lexicon): Row {
  const words = prepareWords(splitWords(text), lexicon);
  return {
    columns: words.lower.map((_, at) => tagFeatures(words, at)),
    gold: tags.map((tag) => WORD_TAGS.indexOf(tag)),
  };
}

export function shuffled<T>(rows: readonly T[], random: { below(limit: number): number }): T[] {
  const order = [...rows];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    const [left, right] = [order[at], order[other]];
    if (left === undefined || right === undefined) continue;
    order[at] = right;
    order[other] = left;
  }
  return order;
}

function learn(now: Tagger, late: Tagger, { columns, gold }: Row, share: number): void {
  const guess = bestPath(
    columns.map((row) => scoreRow(now.weights, row)),
    now.transitions,
    CLASSES,
  );
  const change = (list: 'weights' | 'transitions', at: number, by: number) => {
    now[list][at] = (now[list][at] ?? 0) + by;
    late[list][at] = (late[list][at] ?? 0) + by * share;
  };
  gold.forEach((right, at) => {
    const wrong = guess[at] ?? 0;
    if (wrong !== right) {
      for (const column of columns[at] ?? []) {
        change('weights', column * CLASSES + right, 1);
        change('weights', column * CLASSES + wrong, -1);
      }
    }
    const rightFrom = at === 0 ? CLASSES : (gold[at - 1] ?? 0);
    const wrongFrom = at === 0 ? CLASSES : (guess[at - 1] ?? 0);
    if (wrong === right && wrongFrom === rightFrom) return;
    change('transitions', rightFrom * CLASSES + right, 1);
    change('transitions', wrongFrom * CLASSES + wrong, -1);
  });
}

function scoreRow(weights: Float32Array, columns: readonly number[]): Float64Array {
  const sums = new Float64Array(CLASSES);
  for (const column of columns) {
    const row = column * CLASSES;
    for (let index = 0; index < CLASSES; index++) sums[index] = (sums[index] ?? 0) + (weights[row + index] ?? 0);
  }
  return sums;
}

/** Tags a text with a tagger in training. */
export function tagWith({ weights, transitions }: Tagger, text: string, lexicon: Lexicon): WordTag[] {
  const words = prepareWords(splitWords(text), lexicon);
  const scores = words.lower.map((_, at) => scoreRow(weights, tagFeatures(words, at)));
  return bestPath(scores, transitions, CLASSES).map((tag) => WORD_TAGS[tag] ?? 'none');
}
