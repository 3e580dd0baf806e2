import type { WordVectors } from '../builtin/word-vectors.ts';
import { type AskedWord, isAmong, isNearness, kindOf, otherNamesOf, readAskedWords } from './asked-words.ts';
import type { TextPart } from './fill-parameters.ts';
import type { QueryRows } from './guarded-database.ts';
import type { QuestionMatch } from './match-question.ts';
import { readSaid, type Said } from './said-words.ts';
import { type Vocabulary, valueKey } from './vocabulary.ts';

/** Words of a question that its answer does not rest on. */
export interface UnusedPart {
  words: string;
  /** The column of the space's own data that holds them. */
  column?: string;
}

export interface UnusedInput {
  text: string;
  match: QuestionMatch;
  rows: QueryRows;
  vocabulary: Vocabulary;
  vectors: WordVectors;
}

/** Rows behind these are mostly not read. */
const READ_ROWS = 10;
const MAX_VALUE_WORDS = 4;
const LEAST_ALIKE = 0.5;
/** What narrows a question down must be said nearly as it is: France is not Spain. */
const LEAST_ALIKE_CONDITION = 0.7;
const CONDITION = /^(?:in|at|from|for|during|since|until|within|among|near|on|around|outside|inside|by|per)$/;
/** Examples in brackets narrow nothing down. */
const ASIDES = /\((?:e\.?g\.?|i\.?e\.?|for example|such as|like)\b[^)]*\)/gi;
const BREAKDOWN = /^(?:by|per|each|every)$/;
const FOLLOWING =
  /^(?:into|to|over|on|with|about|from|for|up|down|out|through|between|across|and|or|them|it|us|most|more)$/;
const TURNING =
  /\b(?:excluding|exclude|except|without|besides|(?:other|rather) than|apart from|not|non|compared? (?:to|with)|comparison (?:to|with)|versus|vs|against|than|before|until)(?: (?:the|our|in|for|from|any|last|those|of|previous))*$/;
const RANKED = /\b(?:top|first|best|worst|bottom|largest|highest|lowest)\s+(?:\d{1,4}|\p{L}+)\b/giu;

/**
 * What is left of a question when everything known is accounted for: what the parameters took, what the trusted
 * question says, what its result shows, and words that narrow nothing down.
 */
export function findUnused(input: UnusedInput): UnusedPart[] {
  const words = readAskedWords(input.text.replace(ASIDES, (aside) => ' '.repeat(aside.length)));
  const said = readSaid(input.match, input.rows);
  const values = findValues(words, input.vocabulary);
  const sight: Sight = { ...input, words, said, values };
  const unused = words.map((_, index) => isUnused(index, sight));
  return joinNeighbours(input.text, words, { unused, values });
}

interface Sight extends UnusedInput {
  words: readonly AskedWord[];
  said: Said;
  /** For each word, the column of the value that it belongs to. */
  values: readonly (FoundValue | undefined)[];
}

interface FoundValue {
  key: string;
  column: string;
}

function isUnused(index: number, sight: Sight): boolean {
  const { words, match, said, values } = sight;
  const word = words[index];
  if (!word) return false;
  const { explained, repeated } = match.filled;
  if (isInside(word, explained)) return isTurnedAround(index, sight);
  if (isInside(word, repeated)) return false;
  const kind = kindOf(word);
  const value = values[index];
  if (value && kind !== 'unit') return !said.roots.has(word.root) && !said.shows(value.key, READ_ROWS);
  switch (kind) {
    case 'filler':
      return isColumn(word, sight) && isBrokenDown(index, words) && !isKnown(index, sight);
    case 'number':
      return !said.words.has(word.word) && !isRank(word, sight);
    case 'date':
      return !said.words.has(word.word);
    case 'unit':
      return isSpan(index, sight) || !(said.roots.has(word.root) || said.isOverTime);
    case 'trend':
      return !(said.roots.has(word.root) || said.isOverTime || said.hasKind('trend'));
    case 'comparison':
      return !(said.isBreakdown || said.hasKind('comparison'));
    case 'low':
      return said.isLimited && !said.hasKind('low');
    case 'high':
      return said.isLimited && said.hasKind('low') && !said.hasKind('high');
    case 'negation':
      return !said.hasKind('negation');
    default:
      return !isKnown(index, sight);
  }
}

function isColumn({ root }: AskedWord, { vocabulary }: Sight): boolean {
  return vocabulary.columns.has(root);
}

/** A word of the schema must be said or shown; any other one may also be said in other words. */
function isKnown(index: number, { words, said, vocabulary, vectors }: Sight): boolean {
  const word = words[index];
  if (!word || said.roots.has(word.root) || isPredicate(index, words, said)) return true;
  if (isAmong(word.root, vocabulary.columns))
    return isAmong(word.root, isBrokenDown(index, words) ? said.groups : said.columns);
  if (isAmong(word.root, said.roots) || isAmong(word.root, said.columns) || vocabulary.topic.has(word.root))
    return true;
  const names = otherNamesOf(word.root);
  if ([...said.roots].some((root) => names.has(root))) return true;
  const least = isCondition(index, words) ? LEAST_ALIKE_CONDITION : LEAST_ALIKE;
  return [...said.words].some((other) => vectors.similarity(word.word, other) >= least);
}

/** "Visits turn into", "customers prefer, and": what is said of a thing that is known; "products returned to" narrows it down. */
function isPredicate(index: number, words: readonly AskedWord[], said: Said): boolean {
  const [before, word, behind] = [words[index - 1], words[index], words[index + 1]];
  if (!word || !before || isCondition(index, words)) return false;
  if (!behind && /^(?:high|low)$/.test(word.word)) return true;
  const isKnownNoun =
    kindOf(before) === 'content' && (said.roots.has(before.root) || otherNamesOf(before.root).size > 0);
  if (!isKnownNoun || /(?:ed|ing)$/.test(word.word)) return false;
  return behind !== undefined && FOLLOWING.test(behind.word);
}

/** A name, or what stands behind "in", "for", "during". */
function isCondition(index: number, words: readonly AskedWord[]): boolean {
  const before = words.slice(Math.max(0, index - 2), index);
  const isName = index > 0 && /^\p{Lu}/u.test(words[index]?.text ?? '');
  return isName || before.some(({ word }) => CONDITION.test(word));
}

/** "By region", "per product category", "by age and gender". */
function isBrokenDown(index: number, words: readonly AskedWord[]): boolean {
  for (let at = index - 1; at >= 0 && at >= index - 4; at--) {
    const word = words[at];
    if (!word) return false;
    if (BREAKDOWN.test(word.word)) return true;
    if (kindOf(word) === 'filler' && !/^(?:and|or|the|our|their)$/.test(word.word)) return false;
  }
  return false;
}

/** "Last month" and "3 weeks" set a span of time; "by month" does not. */
function isSpan(index: number, { words }: Sight): boolean {
  const before = words[index - 1];
  return before !== undefined && (isNearness(before) || kindOf(before) === 'number');
}

/** A value that is left out, or a span that is long over or compared with, is not what a parameter takes it for. */
function isTurnedAround(index: number, { words, match }: Sight): boolean {
  const word = words[index];
  const part = match.filled.explained.find((one) => word && isInside(word, [one]));
  if (!part) return false;
  const before = words.filter(({ end }) => end <= part.start).slice(-3);
  const behind = words.find(({ start }) => start >= part.end);
  return TURNING.test(before.map((one) => one.word).join(' ')) || /^(?:ago|earlier)$/.test(behind?.word ?? '');
}

function isRank(word: AskedWord, { text }: Sight): boolean {
  return [...text.matchAll(RANKED)].some(
    (match) => word.start >= match.index && word.end <= match.index + match[0].length,
  );
}

function isInside({ start, end }: TextPart, parts: readonly TextPart[]): boolean {
  return parts.some((part) => start >= part.start && end <= part.end);
}

/** The longest values of the data that the words hold. */
function findValues(words: readonly AskedWord[], { values }: Vocabulary): (FoundValue | undefined)[] {
  const found: (FoundValue | undefined)[] = words.map(() => undefined);
  for (let size = MAX_VALUE_WORDS; size > 0; size--) {
    for (let start = 0; start + size <= words.length; start++) {
      const key = valueKey(words.slice(start, start + size));
      const column = values.get(key);
      const isFree = found.slice(start, start + size).every((value) => value === undefined);
      if (column !== undefined && isFree) found.fill({ key, column }, start, start + size);
    }
  }
  return found;
}

function joinNeighbours(
  text: string,
  words: readonly AskedWord[],
  { unused, values }: { unused: readonly boolean[]; values: Sight['values'] },
): UnusedPart[] {
  const groups: { start: number; end: number; at: number; columns: Set<string> }[] = [];
  for (const [index, word] of words.entries()) {
    if (!unused[index]) continue;
    const last = groups.at(-1);
    const column = values[index]?.column;
    const added = column === undefined ? [] : [column];
    if (last && last.at === index - 1 && /^[\s'’-]*$/.test(text.slice(last.end, word.start))) {
      Object.assign(last, { end: word.end, at: index, columns: new Set([...last.columns, ...added]) });
    } else groups.push({ start: word.start, end: word.end, at: index, columns: new Set(added) });
  }
  return groups.map(({ start, end, columns }) => {
    const [column] = columns;
    return { words: text.slice(start, end), ...(column !== undefined && { column }) };
  });
}
