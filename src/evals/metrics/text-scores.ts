import { stem } from '../../language/words.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { type Json, parseJson } from '../../schema/json.ts';
import type { StandardMetric } from '../../schema/tests/evaluation.ts';
import type { ExpectedTool } from '../../schema/tests/test-case.ts';
import { createValidator } from '../../tools/validate.ts';
import { testPattern } from '../expect/match-value.ts';

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

/** Measures that are 0 or 1. A text is the reason why the answer does not pass. */
export type Verdict = true | string;

type Flags = Pick<StandardMetric, 'case_insensitive' | 'strip_whitespace' | 'strip_punctuation'>;

export function isEqual(answer: string, expected: string, flags: Flags): Verdict {
  const form = (text: string) => {
    const plain = flags.strip_punctuation ? text.replace(/[!-/:-@[-`{-~]/g, '') : text;
    const cased = flags.case_insensitive ? plain.toLowerCase() : plain;
    return flags.strip_whitespace ? cased.replace(/\s+/g, ' ').trim() : cased;
  };
  return form(answer) === form(expected) || 'the answer differs';
}

export function contains(answer: string, text: string, { case_insensitive }: Flags): Verdict {
  const form = (value: string) => (case_insensitive ? value.toLowerCase() : value);
  return form(answer).includes(form(text)) || `it does not contain ${JSON.stringify(text)}`;
}

export function matches(answer: string, pattern: string, { case_insensitive }: Flags): Verdict {
  return testPattern(pattern, case_insensitive ? 'iu' : 'u', answer) || `it does not match /${pattern}/`;
}

type Tolerances = Pick<
  StandardMetric,
  'absolute_tolerance' | 'relative_tolerance' | 'accept_percent' | 'accept_thousands_separators'
>;

/** True if some number of the answer is near the expected one. Throws if the expected text is no number. */
export function isNear(answer: string, expected: string, options: Tolerances): Verdict {
  const [wanted, ...others] = readNumbers(expected, options);
  if (wanted === undefined || others.length > 0) throw new Error(`${JSON.stringify(expected)} is not one number`);
  const found = readNumbers(answer, options);
  const near = (value: number) =>
    Math.abs(value - wanted) <= Math.max(options.absolute_tolerance, options.relative_tolerance * Math.abs(wanted));
  return found.some(near) || `${wanted} expected, found ${found.length > 0 ? found.join(', ') : 'no number'}`;
}

function readNumbers(text: string, { accept_percent, accept_thousands_separators }: Tolerances): number[] {
  const plain = accept_thousands_separators ? text.replace(/(?<=\d)[,_\u00a0\u202f](?=\d{3}(?!\d))/g, '') : text;
  return [...plain.matchAll(/(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(%?)/gi)].map(([number, percent]) => {
    const value = Number.parseFloat(number);
    return percent && accept_percent ? value / 100 : value;
  });
}

/** An answer as JSON, also inside a code block; undefined for another text. */
export function readJson(answer: string): Json | undefined {
  return parseJson(/^```(?:json)?\s*([\s\S]*?)```\s*$/.exec(answer.trim())?.[1] ?? answer);
}

export function fitsSchema(answer: string, schema: StandardMetric['schema']): Verdict {
  if (!schema) throw new Error('the measure has no schema');
  const value = readJson(answer);
  if (value === undefined) return 'the answer is no JSON';
  const [problem] = createValidator().check(schema, value);
  return problem === undefined || `${problem.path || 'the value'} ${problem.message}`;
}

/** Compares the names of the calls with the expected ones, each as often as its count. */
export function followsTrajectory(
  calls: readonly ToolCall[],
  expected: readonly ExpectedTool[],
  order: StandardMetric['order'],
): Verdict {
  const wanted = expected.flatMap((tool) =>
    typeof tool === 'string' ? [tool] : new Array<string>(tool.count).fill(tool.name),
  );
  const made = calls.map(({ name }) => name);
  const isHeld = TRAJECTORIES[order](made, wanted);
  return isHeld || `${wanted.join(' → ') || 'no call'} expected, called ${made.join(' → ') || 'nothing'}`;
}

type Trajectory = (made: readonly string[], wanted: readonly string[]) => boolean;

const TRAJECTORIES: Record<StandardMetric['order'], Trajectory> = {
  exact: (made, wanted) =>
    made.length === wanted.length && made.every((name, index) => name.includes(wanted[index] ?? '')),
  in_order(made, wanted) {
    let next = 0;
    for (const name of made) if (next < wanted.length && name.includes(wanted[next] ?? '')) next++;
    return next === wanted.length;
  },
  any_order(made, wanted) {
    const left = [...made];
    return wanted.every((name) => {
      const at = left.findIndex((other) => other.includes(name));
      if (at !== -1) left.splice(at, 1);
      return at !== -1;
    });
  },
};
