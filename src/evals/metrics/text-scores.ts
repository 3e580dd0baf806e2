import { stem } from '../../language/words.ts';

/** Overlap of an answer with a reference, from 0 to 1. The values agree with the usual Python packages. */

/** F1 of the words, as SQuAD counts them. */
export function f1Score(answer: string, reference: string): number {
  return overlapF1(toTerms(answer), toTerms(reference));
}

/** ROUGE as F1, as in the package rouge_score without a stemmer. */
export function rouge(variant: 'rouge1' | 'rouge2' | 'rougeL', answer: string, reference: string): number {
  const [a, b] = [toTerms(answer), toTerms(reference)];
  if (variant === 'rouge1') return overlapF1(a, b);
  if (variant === 'rouge2') return overlapF1(toGrams(a, 2), toGrams(b, 2));
  const common = longestCommon(a, b);
  return toF1(common, a.length, b.length);
}

const MAX_ORDER = 4;

/** BLEU-4 of one sentence with exponential smoothing, as in sacrebleu. */
export function bleu(answer: string, reference: string): number {
  const [a, b] = [toMarks(answer), toMarks(reference)];
  if (a.length === 0 || b.length === 0) return 0;
  const logs: number[] = [];
  let smoothing = 1;
  for (let order = 1; order <= Math.min(MAX_ORDER, a.length); order++) {
    const grams = toGrams(a, order);
    const hits = countCommon(grams, toGrams(b, order));
    if (hits === 0 && order === 1) return 0;
    if (hits === 0) smoothing *= 2;
    logs.push(Math.log(hits === 0 ? 1 / (smoothing * grams.length) : hits / grams.length));
  }
  const brevity = a.length >= b.length ? 1 : Math.exp(1 - b.length / a.length);
  return brevity * Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

const METEOR = { alpha: 0.9, beta: 3, gamma: 0.5 };

/** METEOR with equal words and equal stems, aligned as NLTK does; without its synonyms. */
export function meteor(answer: string, reference: string): number {
  const [a, b] = [toTerms(answer), toTerms(reference)];
  const pairs = alignFromEnd(a, b);
  if (pairs.length === 0) return 0;
  const [precision, recall] = [pairs.length / a.length, pairs.length / b.length];
  const mean = (precision * recall) / (METEOR.alpha * precision + (1 - METEOR.alpha) * recall);
  const chunks = pairs.filter(([at, to], index) => {
    const before = pairs[index - 1];
    return before === undefined || before[0] !== at - 1 || before[1] !== to - 1;
  }).length;
  return (1 - METEOR.gamma * (chunks / pairs.length) ** METEOR.beta) * mean;
}

/** Pairs each word with the last free equal one, beginning at the end; then the rest by stems. */
function alignFromEnd(a: readonly string[], b: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  const free = new Set(b.keys());
  for (const form of [(word: string) => word, stem]) {
    for (const [at, word] of [...a.entries()].reverse()) {
      if (pairs.some(([taken]) => taken === at)) continue;
      const to = [...free].findLast((index) => form(b[index] ?? '') === form(word));
      if (to === undefined) continue;
      free.delete(to);
      pairs.push([at, to]);
    }
  }
  return pairs.sort(([first], [second]) => first - second);
}

function toTerms(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words and punctuation, each on its own, in their case. */
function toMarks(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function toGrams(terms: readonly string[], order: number): string[] {
  const count = Math.max(0, terms.length - order + 1);
  return Array.from({ length: count }, (_, at) => terms.slice(at, at + order).join(' '));
}

function countCommon(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const term of b) left.set(term, (left.get(term) ?? 0) + 1);
  return a.filter((term) => {
    const count = left.get(term) ?? 0;
    left.set(term, count - 1);
    return count > 0;
  }).length;
}

function overlapF1(a: readonly string[], b: readonly string[]): number {
  return toF1(countCommon(a, b), a.length, b.length);
}

function toF1(common: number, answer: number, reference: number): number {
  return common === 0 ? 0 : (2 * common) / (answer + reference);
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const term of a) {
    const next = [0];
    for (const [index, other] of b.entries()) {
      const longest = Math.max(row[index + 1] ?? 0, next[index] ?? 0);
      next.push(term === other ? (row[index] ?? 0) + 1 : longest);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
