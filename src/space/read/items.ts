import { isOneTypoAway } from '../../language/words.ts';
import type { Period } from '../../schema/data-query.ts';
import { toSingular } from '../model/nouns.ts';
import { CORRECTABLE, isClosedWord, matchPhrase, type Op } from './grammar.ts';
import type { Lexicon, Sense } from './lexicon.ts';
import { findPeriods } from './words/periods.ts';
import { type NumberSign, readTokens, type Token } from './words/tokens.ts';

interface Span {
  text: string;
  start: number;
  end: number;
}

/** A part of a question with what it may mean. */
export type Item = Span &
  (
    | { kind: 'thing'; senses: readonly Sense[]; op?: Op | undefined; lemma: string }
    | { kind: 'number'; value: number; sign?: NumberSign | undefined }
    | { kind: 'period'; period: Period; isDoubtful: boolean }
    | { kind: 'op'; op: Op; lemma: string }
    | { kind: 'unknown' }
  );

export interface ItemContext {
  lexicon: Lexicon;
  today: string;
  oldest: string;
  /** The period of the question that this one continues. */
  base?: Period | undefined;
  isEnglish(word: string): boolean;
}

export interface ReadItems {
  items: Item[];
  typos: { words: string; readAs: string }[];
}

/** Splits a question into periods, numbers, things of the model, closed words and unknown words. */
export function readItems(text: string, context: ItemContext): ReadItems {
  const periods = findPeriods(text, { today: context.today, oldest: context.oldest, base: context.base });
  const typos: ReadItems['typos'] = [];
  const tokens = readTokens(text).map((token) => correct(token, context, typos));
  const items: Item[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (!token) break;
    const found = periods.find(({ start, end }) => token.start >= start && token.start < end);
    if (found) {
      const last = tokens.findLastIndex(({ start }) => start < found.end);
      items.push({ kind: 'period', ...found, text: text.slice(found.start, found.end).trim() });
      at = Math.max(last, at) + 1;
      continue;
    }
    const { item, length } = readAt(tokens, at, { context, text });
    items.push(item);
    at += length;
  }
  return { items, typos };
}

function readAt(tokens: readonly Token[], at: number, { context, text }: { context: ItemContext; text: string }) {
  const words = tokens.map(({ word }) => word);
  const lemmas = tokens.map(({ lemma }) => lemma);
  const first = tokens[at] as Token; // the caller has checked the place
  // "a teacher" names no value "A"; "room a in May" does.
  const isArticle = /^an?$/.test(at === 0 ? first.word : first.text) && !isClosedWord(words[at + 1] ?? 'of');
  const match = context.lexicon.match(lemmas, at);
  const thing = isArticle && match?.length === 1 ? undefined : match;
  const plural = matchPhrase(lemmas, at);
  const phrase = matchPhrase(words, at) ?? (thing || plural?.op.is === 'grain' ? undefined : plural);
  const span = (length: number) => {
    const end = tokens[at + length - 1]?.end ?? first.end;
    return { text: text.slice(first.start, end), start: first.start, end };
  };
  const lemma = (length: number) => lemmas.slice(at, at + length).join(' ');
  if (thing && thing.length >= (phrase?.length ?? 0)) {
    // A closed word that also names something keeps both meanings: who, where, top, about.
    const op = phrase?.length === thing.length ? phrase.op : undefined;
    return {
      item: { kind: 'thing', senses: thing.senses, op, lemma: lemma(thing.length), ...span(thing.length) } as const,
      length: thing.length,
    };
  }
  const isBound = /\b(?:than|least|most|over|exactly|top|only|under)\s*$/i.test(text.slice(0, first.start));
  const isPronoun = first.word === 'one' && first.sign === undefined && !isBound;
  if (phrase && (phrase.length > 1 || first.number === undefined || isPronoun))
    return {
      item: { kind: 'op', op: phrase.op, lemma: lemma(phrase.length), ...span(phrase.length) } as const,
      length: phrase.length,
    };
  if (first.number !== undefined)
    return { item: { kind: 'number', value: first.number, sign: first.sign, ...span(1) } as const, length: 1 };
  return { item: { kind: 'unknown', ...span(1) } as const, length: 1 };
}

/** Reads a misspelt word as the nearest known one. A known English word is never changed. */
function correct(token: Token, { lexicon, isEnglish }: ItemContext, typos: ReadItems['typos']): Token {
  const { word, lemma, number } = token;
  const isKnown = lexicon.words.has(word) || lexicon.words.has(lemma) || isClosedWord(word);
  if (isKnown || number !== undefined || /\d/.test(word) || (isEnglish(word) && word.length < 8)) return token;
  const nearest = nearestWord(word, [...lexicon.words, ...CORRECTABLE]);
  if (nearest === undefined) return token;
  typos.push({ words: token.text, readAs: nearest });
  return { ...token, word: nearest, lemma: nearest };
}

const LEAST_LENGTH = 4;

/** The only known word that is one letter away from a misspelt one. Undefined if there is none, or if several are. */
function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length < LEAST_LENGTH) return undefined;
  const isNear = (other: string) =>
    other[0] === word[0] &&
    other.length >= LEAST_LENGTH &&
    (isOneTypoAway(word, other) || isOneTypoAway(word, `${other}s`));
  const [first, ...others] = known.filter(isNear);
  return first !== undefined && others.every((other) => isSameWord(first, other)) ? first : undefined;
}

/** The forms of one word are no rivals: order, orders, ordered. */
function isSameWord(a: string, b: string): boolean {
  const stem = (word: string) => toSingular(word).replace(/(?:ed|ing|e)$/, '');
  return stem(a) === stem(b);
}
