import type { Period } from '../../schema/data-query.ts';
import { settleContext } from './context-words.ts';
import { type FunctionSense, matchFunction } from './function-words.ts';
import type { Lexicon, Sense } from './lexicon.ts';
import { type FoundPeriod, findPeriods } from './periods.ts';
import { type NumberSign, readTokens, type Token } from './tokens.ts';
import { correctTypos } from './typos.ts';

interface Place {
  /** The words as they were written. */
  words: string;
  start: number;
  end: number;
}

/** A part of a question: words with a grammatical task, words of the model, a period, a number, or unknown words. */
export type Item = Place &
  (
    | { kind: 'function'; sense: FunctionSense }
    | { kind: 'content'; senses: readonly Sense[] }
    | { kind: 'period'; period: Period; isDoubtful: boolean }
    | { kind: 'number'; value: number; sign?: NumberSign | undefined }
    | { kind: 'unknown' }
  );

export interface ReadItems {
  items: Item[];
  /** Words that were read as others: "custmers" → customers. */
  typos: { words: string; readAs: string }[];
}

export interface ItemContext {
  lexicon: Lexicon;
  today: string;
  oldest: string;
  isEnglish(word: string): boolean;
}

/** Divides a question into items. Every word of it belongs to exactly one. */
export function readItems(text: string, context: ItemContext): ReadItems {
  const periods = findPeriods(text, context);
  const isFree = ({ start, end }: Token) => !periods.some((period) => start < period.end && period.start < end);
  const free = readTokens(text).filter(isFree);
  const tokens = correctTypos(free, context);
  const items: Item[] = periods.map((period) => toPeriod(text, period));
  for (let at = 0; at < tokens.length; ) {
    const { item, length, lifted } = itemAt(text, tokens, at, context.lexicon);
    items.push(...(lifted ? [{ ...lifted, start: item.start }] : []), item);
    at += length;
  }
  const typos = tokens.flatMap(({ text: words, typed }) => (typed === undefined ? [] : [{ words, readAs: typed }]));
  return { items: settleContext(items.toSorted((a, b) => a.start - b.start)), typos };
}

function toPeriod(text: string, { period, start, end, isDoubtful }: FoundPeriod): Item {
  return { kind: 'period', period, isDoubtful, words: text.slice(start, end), start, end };
}

function itemAt(
  text: string,
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon,
): { item: Item; length: number; lifted?: Item | undefined } {
  const first = tokens[at];
  if (!first) throw new Error('there is no token at this place');
  const place = (length: number): Place => {
    const { end } = tokens[at + length - 1] ?? first;
    return { words: text.slice(first.start, end), start: first.start, end };
  };
  const range = rangeValue(tokens, at, lexicon);
  if (range) return { item: { ...place(4), kind: 'content', senses: range }, length: 4 };
  const content = lexicon.match(tokens, at);
  const grammar = matchFunction(
    tokens.map(({ word }) => word),
    at,
  );
  if (content && content.length >= (grammar?.length ?? 0))
    return {
      item: { ...place(content.length), kind: 'content', senses: content.senses },
      length: content.length,
      lifted: liftedItem(tokens, content),
    };
  if (first.number !== undefined && !(grammar && grammar.sense.kind === 'pronoun'))
    return { item: { ...place(1), kind: 'number', value: first.number, sign: first.sign }, length: 1 };
  if (grammar)
    return { item: { ...place(grammar.length), kind: 'function', sense: grammar.sense }, length: grammar.length };
  return { item: { ...place(1), kind: 'unknown' }, length: 1 };
}

/** "lost the most revenue": the superlative inside a phrase is an item of its own, behind the phrase. */
function liftedItem(tokens: readonly Token[], { lifted }: { lifted?: number }): Item | undefined {
  const token = lifted === undefined ? undefined : tokens[lifted];
  const sense = token && matchFunction([token.word], 0)?.sense;
  if (!token || !sense) return undefined;
  return { kind: 'function', sense, words: token.text, start: token.start, end: token.end };
}

/** "between 25 and 34" is the value 25-34 of a column that has such values. */
function rangeValue(tokens: readonly Token[], at: number, lexicon: Lexicon): readonly Sense[] | undefined {
  const [between, low, and, high] = tokens.slice(at, at + 4);
  if (between?.word !== 'between' || and?.word !== 'and' || !low || !high) return undefined;
  const found = lexicon.match([low, high], 0);
  const senses = found?.length === 2 ? found.senses.filter(({ kind }) => kind === 'value') : [];
  return senses.length > 0 ? senses : undefined;
}
