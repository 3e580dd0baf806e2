import { settleContext } from './context-words.ts';
import { matchFunction } from './function-words.ts';
import type { Item, Place } from './item.ts';
import type { Lexicon, Sense } from './lexicon.ts';
import { type FoundPeriod, findPeriods } from './periods.ts';
import { readTokens, type Token } from './tokens.ts';
import { correctTypos } from './typos.ts';

interface Typo {
  words: string;
  readAs: string;
  /** The slip is in a word that is no value; a value of the data may be meant for another one. */
  isSure: boolean;
}

export interface ReadItems {
  items: Item[];
  /** Words that were read as others: "custmers" → customers. */
  typos: Typo[];
}

export interface ItemContext {
  lexicon: Lexicon;
  today: string;
  oldest: string;
  isEnglish(word: string): boolean;
  /** The period of the question that this one continues. */
  base?: { from: string; to: string } | undefined;
}

/** Divides a question into items. Every word of it belongs to exactly one. */
export function readItems(text: string, context: ItemContext, { isEdit = false } = {}): ReadItems {
  const periods = findPeriods(text, context);
  const isFree = ({ start, end }: Token) => !periods.some((period) => start < period.end && period.start < end);
  const free = readTokens(text).filter(isFree);
  const tokens = correctTypos(free, context);
  const items: Item[] = periods.map((period) => toPeriod(text, period));
  for (let at = 0; at < tokens.length; ) {
    // A phrase does not continue behind a period: "which of the last 12 months was".
    const gap = tokens.findIndex(
      ({ start }, place) => place > at && periods.some((one) => standsBetween(one, tokens[at], start)),
    );
    const { item, length, lifted } = fittingItem(text, gap < 0 ? tokens : tokens.slice(0, gap), at, context.lexicon);
    items.push(...(lifted ? [{ ...lifted, start: item.start }] : []), item);
    at += length;
  }
  const typos = tokens.flatMap(({ text: words, typed, isSlip, start }) => {
    const item = items.find((one) => one.start <= start && start < one.end);
    const isValue = item?.kind === 'content' && item.senses.some(({ kind }) => kind === 'value');
    return typed === undefined ? [] : [{ words, readAs: typed, isSure: isSlip === true && !isValue }];
  });
  const sorted = items.toSorted((a, b) => a.start - b.start);
  return { items: settleContext(withStops(sorted, text), isEdit), typos };
}

function standsBetween({ start }: FoundPeriod, token: Token | undefined, next: number): boolean {
  return token !== undefined && start >= token.end && start < next;
}

/** "Count, total spend, rating": a comma joins what stands before and behind it. */
function withStops(items: readonly Item[], text: string): Item[] {
  return items.map((item, at) => {
    const next = items[at + 1];
    return next && /[,:;]|\s[-–]\s/.test(text.slice(item.end, next.start)) ? { ...item, isStop: true } : item;
  });
}

function toPeriod(text: string, { period, start, end, isDoubtful }: FoundPeriod): Item {
  return { kind: 'period', period, isDoubtful, words: text.slice(start, end), start, end };
}

interface FoundItem {
  item: Item;
  length: number;
  lifted?: Item | undefined;
}

/** The longest phrase, unless it cuts a known one: "current stock value" is the stock value, not the current stock. */
function fittingItem(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): FoundItem {
  const longest = itemAt(text, tokens, at, lexicon);
  const end = at + longest.length;
  if (longest.length === 1 || end >= tokens.length || itemAt(text, tokens, end, lexicon).item.kind !== 'unknown')
    return longest;
  for (let most = longest.length - 1; most > 0; most--) {
    const shorter = itemAt(text, tokens, at, lexicon, most);
    const next = itemAt(text, tokens, at + shorter.length, lexicon);
    const isWhole = at + shorter.length + next.length > end;
    if (shorter.item.kind !== 'unknown' && next.item.kind !== 'unknown' && isWhole) return shorter;
  }
  return longest;
}

function itemAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon, most?: number): FoundItem {
  const first = tokens[at];
  if (!first) throw new Error('there is no token at this place');
  const place = (length: number): Place => {
    const { end } = tokens[at + length - 1] ?? first;
    const own = tokens.slice(at, at + length);
    const read = own.some(({ typed }) => typed !== undefined) ? own.map(({ word }) => word).join(' ') : undefined;
    return { words: text.slice(first.start, end), start: first.start, end, ...(read !== undefined && { read }) };
  };
  const range = rangeValue(tokens, at, lexicon);
  if (range) return { item: { ...place(range.length), kind: 'content', senses: range.senses }, length: range.length };
  const content = lexicon.match(tokens, at, most);
  const grammar = matchFunction(
    tokens.map(({ word }) => word),
    at,
    most,
  );
  const isGrain = grammar?.sense.kind === 'grain' && content?.length === 1 && !isNamed(tokens, content.senses);
  if (content && content.length >= (grammar?.length ?? 0) && !isGrain)
    return {
      item: { ...place(content.length), kind: 'content', senses: content.senses },
      length: content.length,
      lifted: liftedItem(tokens, content),
    };
  const isNumber = first.sign !== undefined || grammar?.sense.kind !== 'pronoun' || isCounted(tokens, at);
  if (first.number !== undefined && isNumber)
    return { item: { ...place(1), kind: 'number', value: first.number, sign: first.sign }, length: 1 };
  if (grammar)
    return { item: { ...place(grammar.length), kind: 'function', sense: grammar.sense }, length: grammar.length };
  return { item: { ...place(1), kind: 'unknown' }, length: 1 };
}

/** "Daily" is a value where the name of its column is in the question: "daily revenue" has a row for each day. */
function isNamed(tokens: readonly Token[], senses: readonly Sense[]): boolean {
  const words = new Set(tokens.map(({ lemma }) => lemma));
  return senses.some((sense) => sense.kind !== 'value' || sense.dimension.split(' ').some((word) => words.has(word)));
}

/** "More than one unit", "at least one cart": behind a comparison and before a noun, "one" is a number. */
function isCounted(tokens: readonly Token[], at: number): boolean {
  const last = tokens[at - 1]?.word ?? '';
  return ['than', 'least', 'exactly', 'precisely', 'only', 'just'].includes(last) && tokens[at + 1] !== undefined;
}

/** "lost the most revenue": the superlative inside a phrase is an item of its own, behind the phrase. */
function liftedItem(tokens: readonly Token[], { lifted }: { lifted?: number }): Item | undefined {
  const token = lifted === undefined ? undefined : tokens[lifted];
  const sense = token && matchFunction([token.word], 0)?.sense;
  if (!token || !sense) return undefined;
  return { kind: 'function', sense, words: token.text, start: token.start, end: token.end };
}

/** "between 25 and 34" and "25 to 34" are the value 25-34 of a column that has such values. */
function rangeValue(
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon,
): { senses: Sense[]; length: number } | undefined {
  const isBetween = tokens[at]?.word === 'between';
  const [low, word, high] = tokens.slice(isBetween ? at + 1 : at, isBetween ? at + 4 : at + 3);
  if (low?.number === undefined || high?.number === undefined || word?.word !== (isBetween ? 'and' : 'to'))
    return undefined;
  // "Between 25 and 34 dollars" is no age.
  if (low.sign !== undefined || high.sign !== undefined) return undefined;
  const found = lexicon.match([low, high], 0);
  const senses = found?.length === 2 ? found.senses.filter(({ kind }) => kind === 'value') : [];
  return senses.length > 0 ? { senses, length: isBetween ? 4 : 3 } : undefined;
}
