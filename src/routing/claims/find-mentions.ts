import type { DataVocabulary } from '../../schema/data-query.ts';
import type { Part } from '../check/answer-parts.ts';

/** A thing of the vocabulary that words of an answer may mean. */
export type Meaning =
  | { kind: 'measure'; name: string }
  | { kind: 'value'; dimension: string; value: string }
  | { kind: 'filter'; name: string; negated: boolean }
  | { kind: 'dimension'; name: string };

export interface Mention extends Part {
  text: string;
  meanings: Meaning[];
  /** True for a value in lower case, which may be a common word: Store, New. */
  isLoose: boolean;
}

/** Finds words of the vocabulary in a text. The longest phrase wins. */
export type MentionFinder = (text: string) => Mention[];

const WORD = /[\p{L}\p{N}]+(?:[-'’+][\p{L}\p{N}]*)*/gu;
const MAX_WORDS = 7;
/** "In stock" gives way to the longer name "stock value". */
const LEAD = /^(?:in|on|at|of|the)$/i;

interface Phrase {
  meaning: Meaning;
  /** Values are written with a capital letter or exactly as in the data. */
  written: string | undefined;
}

export function createMentionFinder(vocabulary: DataVocabulary): MentionFinder {
  const phrases = new Map<string, Phrase[]>();
  const add = (words: string, meaning: Meaning, written?: string) => {
    const key = keyOf(words.match(WORD) ?? []);
    const known = phrases.get(key) ?? [];
    if (key !== '' && !known.some((other) => isSame(other.meaning, meaning)))
      phrases.set(key, [...known, { meaning, written }]);
  };
  for (const { name, words } of vocabulary.measures) for (const word of words) add(word, { kind: 'measure', name });
  for (const { dimension, value, words } of vocabulary.values)
    for (const word of words) add(word, { kind: 'value', dimension, value }, word === value ? value : undefined);
  for (const { name, words, opposite } of vocabulary.filters) {
    for (const word of words) add(word, { kind: 'filter', name, negated: false });
    for (const word of opposite) add(word, { kind: 'filter', name, negated: true });
  }
  for (const { name, words } of vocabulary.dimensions) for (const word of words) add(word, { kind: 'dimension', name });
  return (text) => findPhrases(text, phrases);
}

function findPhrases(text: string, phrases: ReadonlyMap<string, Phrase[]>): Mention[] {
  const words = [...text.matchAll(WORD)];
  const all = words.flatMap((_, at) => longest(text, words.slice(at, at + MAX_WORDS), phrases) ?? []);
  const kept: Mention[] = [];
  for (const mention of all.toSorted((a, b) => b.length - a.length || a.start - b.start))
    if (!kept.some(({ start, end }) => mention.start < end && start < mention.end)) kept.push(mention);
  return kept.toSorted((a, b) => a.start - b.start);
}

function longest(
  text: string,
  words: readonly RegExpExecArray[],
  phrases: ReadonlyMap<string, Phrase[]>,
): (Mention & { length: number }) | undefined {
  for (let length = words.length; length > 0; length--) {
    const [first] = words;
    const last = words[length - 1];
    const known = phrases.get(keyOf(words.slice(0, length).map(([word]) => word)));
    if (!first || !last || !known) continue;
    const part = { start: first.index, end: last.index + last[0].length };
    const written = text.slice(part.start, part.end);
    // "995 reviews, rating: 3.05" names two measures, not the review rating.
    if (/[.!?\n|;:]|,\s/.test(written)) continue;
    const meanings = known.map(({ meaning }) => meaning);
    const isLoose = !known.some((phrase) => isWrittenLike(phrase, written));
    return { ...part, text: written, meanings, isLoose, length: length - (LEAD.test(first[0]) ? 1 : 0) };
  }
  return undefined;
}

/** A value is written as in the data, with a capital letter; its synonyms are written in any way. */
function isWrittenLike({ written }: Phrase, text: string): boolean {
  return written === undefined || !/^\p{Lu}/u.test(written) || /^\p{Lu}/u.test(text);
}

function isSame(a: Meaning, b: Meaning): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function keyOf(words: readonly string[]): string {
  return words.map((word) => singular(word.toLowerCase())).join(' ');
}

/** Plural and singular of a word get the same form; it need not be a word. */
export function singular(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/['’]s$/, '')
    .replace(/(?:ies|y)$/, 'i')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '');
}
