import type { WordVectors } from '../builtin/word-vectors.ts';
import { rootOf } from '../builtin/words.ts';
import { readAskedFor } from './asked-for.ts';
import { type AskedFor, type IsThing, isNumeric, isSuperlative, readBreakdown } from './asked-phrase.ts';
import { type AskedWord, isAmong, kindOf, otherNamesOf, readAskedWords } from './asked-words.ts';
import type { QueryRows } from './guarded-database.ts';
import type { NearPhrase, QuestionMatch } from './match-question.ts';
import { readSaid, type Said } from './said-words.ts';
import type { TrustedQuestion } from './space-file.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface FitInput {
  text: string;
  match: QuestionMatch;
  rows: QueryRows;
  vocabulary: Vocabulary;
  vectors: WordVectors;
}

/**
 * What an answer gives of what was asked for: its rows are just that; nothing speaks against it; the first rows were
 * asked for of a list that nobody calls ranked; it gives parts of it only; or it gives something else.
 */
export type Fit = 'rows' | 'whole' | 'unranked' | 'parts' | 'other';

const BEST_FIRST: readonly Fit[] = ['rows', 'whole', 'unranked', 'parts', 'other'];

const LEAST_ALIKE = 0.7;
/** What was said may be said again in other words. */
const LEAST_ALIKE_SAID = 0.5;
const EXCLUDING = /^(?:excluding|exclude|except|besides|without|non)$/;
const ALL = 'all ';
/** Of a column like `from_location`, what says nothing by itself. */
const DIRECTION = /^(?:from|to|of|in|by|at|for)$/;
const ABOUT = /\babout(?: (?:the|our))? $/i;
const PERSON = 'customer';
const PRODUCT = 'product';
const PLACES = rootsOf('location region city country store shop place site channel warehouse');
/** What is neither somebody nor somewhere. */
const KINDS = rootsOf(
  'day week month quarter year date time hour category kind type reason theme rating status stage segment tier',
);

/**
 * Holds what a question asks for against what the answer gives: customers are no months, and revenue that was lost is
 * not the revenue. A way to ask that the author wrote down says what its answer is good for.
 */
export function fitQuestion(input: FitInput): Fit {
  const isThing = thingsOf(input.vocabulary);
  const asked = readAskedFor(input.text, isThing);
  if (asked.length === 0) return 'whole';
  const sight: Sight = { ...input, isThing, said: readSaid(input.match, input.rows), isOneOnly: asked.length === 1 };
  const fits = asked.map((one) => fitOne(one, sight));
  return BEST_FIRST.find((fit) => fits.includes(fit)) ?? 'other';
}

interface Sight extends FitInput {
  isThing: IsThing;
  said: Said;
  /** Whether a single thing is asked for. */
  isOneOnly: boolean;
}

function thingsOf({ columns }: Vocabulary): IsThing {
  return (word) => columns.has(word.root) || otherNamesOf(word.root).size > 0 || kindOf(word) === 'unit';
}

function fitOne(asked: AskedFor, sight: Sight): Fit {
  if (asked.kind === 'each') return fitRows(asked, sight);
  if (asked.kind === 'object') return !sight.said.isOverTime || isAskedAlike(asked, sight) ? 'whole' : 'other';
  return fitFigure(asked, sight);
}

function fitFigure(asked: AskedFor, sight: Sight): Fit {
  if (asked.by && !isBrokenDown(asked, sight) && !isShownBeside(asked.by, sight)) return 'other';
  if (isFigureOfValue(asked, sight)) return 'whole';
  if (!isGiven(asked, sight) || isNarrower(asked, sight) || isDeniedOnly(sight) || isOfFewOnly(asked, sight))
    return 'other';
  const isInParts = asked.by ? !isBrokenDown(asked, sight) : isOnlyInParts(sight);
  return isInParts ? 'parts' : 'whole';
}

/** Whether there is one for each of these, or the author says so of the same figure. */
function isBrokenDown({ head, by }: AskedFor, sight: Sight): boolean {
  const { match, said, isThing } = sight;
  if (!by) return false;
  if (isRowOf(by, sight) || (kindOf(by) === 'unit' && said.isOverTime)) return true;
  const isSame = (other: AskedWord | undefined) => other !== undefined && isLike(by.root, new Set([other.root]));
  if (said.columnNames.some((name) => isSame(readBreakdown(readAskedWords(name)).by))) return true;
  const asked = match.near.flatMap((phrase) => readAskedFor(phrase.text, isThing));
  return asked.some((other) => other.head.root === head.root && isSame(other.by));
}

/** The region beside each location: there is none for each region, but it can be read off. */
function isShownBeside({ root }: AskedWord, { said, vocabulary }: Sight): boolean {
  return vocabulary.columns.has(root) && said.columns.has(root);
}

/** "Reviews Aspen Boots", "comments about packaging": it is about a value, whatever that is shown in. */
function isFigureOfValue(asked: AskedFor, sight: Sight): boolean {
  if (asked.kind !== 'figure' || asked.isNumber) return false;
  return (
    isValue(asked.head, sight) ||
    sight.match.filled.explained.some(({ start }) => ABOUT.test(sight.text.slice(0, start)))
  );
}

/** Orders are not what customers who have not ordered are about. */
function isDeniedOnly({ text, match }: Sight): boolean {
  return !isDenying(text) && match.near.length > 0 && match.near.every((phrase) => isDenying(phrase.text));
}

/** A number was asked for, and there is only one for each of the first of something that was not asked about. */
function isOfFewOnly({ kind, isNumber }: AskedFor, { text, said }: Sight): boolean {
  if (kind !== 'count' && !isNumber) return false;
  if (said.groups.size > 0 || !said.isLimited || said.hasWhole) return false;
  return !readAskedWords(text).some(({ root }) => said.isAbout(root) || isLike(root, said.keys));
}

function fitRows(asked: AskedFor, sight: Sight): Fit {
  const { text, said } = sight;
  const isRow = !isDenying(text) && isRowOf(asked.head, sight);
  if (!isRow && !isAskedAlike(asked, sight) && !mayBeRowOf(asked.head, sight)) return 'other';
  const isUnranked = said.isLimited && !said.hasKind('high') && !said.hasKind('low');
  if (isUnranked && readAskedWords(text).some(isSuperlative)) return 'unranked';
  return isRow ? 'rows' : 'whole';
}

/** Whether the answer has a row for each of them. */
function isRowOf(head: AskedWord, { said, isThing, vectors }: Sight): boolean {
  if (head.word === 'who') return isLike(PERSON, said.keys);
  if (head.word === 'when') return said.isOverTime;
  if (head.word === 'where') return isPlace(said);
  if (isLike(head.root, said.keys) || said.isAbout(head.root)) return true;
  return !isThing(head) && isSaid(head, { said, vectors });
}

function isPlace({ keys }: Said): boolean {
  return [...keys].some((key) => PLACES.has(key));
}

/** Whether "who" or "where" may be what a row is about: nobody can list all words for somebody, as "employee" is one. */
function mayBeRowOf({ word }: AskedWord, { text, said }: Sight): boolean {
  if ((word !== 'who' && word !== 'where') || isDenying(text) || !said.hasNames || said.isOverTime) return false;
  const isOther = word === 'who' ? isPlace(said) : isLike(PERSON, said.keys);
  return !isOther && !isLike(PRODUCT, said.keys) && ![...said.keys].some((key) => KINDS.has(key));
}

/** Whether the author wrote down that the same is asked for in words that are near. */
function isAskedAlike({ kind, head }: AskedFor, { text, match, isThing }: Sight): boolean {
  const isDenied = isDenying(text);
  const alike = match.near.filter((phrase) => isDenying(phrase.text) === isDenied);
  const asked = alike.flatMap((phrase) => readAskedFor(phrase.text, isThing));
  return asked.some((other) => other.kind === kind && isLike(head.root, new Set([other.head.root])));
}

/** "Have not purchased" is no "have purchased"; "except bags" only narrows down. */
function isDenying(text: string): boolean {
  return readAskedWords(text).some((word) => kindOf(word) === 'negation' && !EXCLUDING.test(word.word));
}

function isGiven(asked: AskedFor, sight: Sight): boolean {
  const { match, said } = sight;
  if (asked.kind === 'share') return givesShare(match.question, said);
  if (asked.isNumber && isValue(asked.head, sight)) return false;
  if (asked.kind === 'figure') return isSaid(asked.head, sight);
  const counts = new Set([...said.columns].filter((root) => !said.keys.has(root)));
  return isLike(asked.head.root, counts) || hasCount(said) || isAskedAlike(asked, sight);
}

/** Whether a parameter took it: what "average price" asks for is no review about the price. */
function isValue({ text: head }: AskedWord, { text, match }: Sight): boolean {
  return match.filled.explained.some(({ start, end }) => text.slice(start, end).split(/\s+/).includes(head));
}

/** A list that says how many there are in all; where it says of what, as in `reviews` and `all_reviews`, these alone. */
function hasCount({ isBreakdown, hasWhole, columnNames }: Said): boolean {
  const counted = columnNames.filter((name) => name.startsWith(ALL)).map((name) => name.slice(ALL.length));
  return isBreakdown && hasWhole && !counted.some((name) => columnNames.includes(name));
}

function givesShare({ formats }: TrustedQuestion, said: Said): boolean {
  return Object.values(formats).includes('percent') || ['rat', 'shar', 'ratio'].some((root) => said.columns.has(root));
}

function isSaid({ root, word }: AskedWord, { said, vectors }: Pick<Sight, 'said' | 'vectors'>): boolean {
  if (isLike(root, said.roots) || isLike(root, said.columns)) return true;
  return [...said.words].some((other) => vectors.similarity(word, other) >= LEAST_ALIKE);
}

/**
 * Whether a figure is only there narrowed down: "revenue" is more than a column of lost revenue, "sales" are more than
 * the lost sales that the author speaks of.
 */
function isNarrower({ head }: AskedFor, sight: Sight): boolean {
  const { text, match, said, vocabulary, vectors, isOneOnly } = sight;
  const asked = readAskedWords(text).filter((word) => word.root !== head.root);
  const isAsked = ({ word, root }: AskedWord) =>
    asked.some((other) => other.root === root || vectors.similarity(other.word, word) >= LEAST_ALIKE_SAID);
  const narrows = (word: AskedWord) =>
    kindOf(word) === 'content' &&
    word.root !== head.root &&
    !isAsked(word) &&
    !isNumeric(word) &&
    !isLike(word.root, said.keys);
  const saysHead = (phrase: NearPhrase) => phrase.saysAll || (!isOneOnly && wordBefore(head, phrase.text).length > 0);
  const isBare = (phrase: NearPhrase) =>
    saysHead(phrase) &&
    !phrase.extra.flatMap(readAskedWords).some((word) => narrows(word) && !vocabulary.title.has(word.root));
  if (match.near.some(isBare)) return false;
  const columns = said.columnNames.map(readAskedWords).filter((words) => words.some(({ root }) => root === head.root));
  if (columns.length > 0) return columns.every((words) => words.some(narrows));
  if (isNamedMoreClosely(head, sight)) return false;
  const before = match.near.flatMap((phrase) => wordBefore(head, phrase.text));
  return before.length > 0 && before.every((word) => word !== undefined && narrows(word));
}

/** "Seasonal patterns" are the "seasonal purchase patterns" that the author speaks of; "store sales" are no lost sales. */
function isNamedMoreClosely(head: AskedWord, { text, match, isThing }: Sight): boolean {
  const [closer] = wordBefore(head, text);
  if (!closer || kindOf(closer) !== 'content' || isNumeric(closer) || isThing(closer)) return false;
  return match.near.some((phrase) => readAskedWords(phrase.text).some(({ root }) => root === closer.root));
}

function wordBefore(head: AskedWord, text: string): (AskedWord | undefined)[] {
  const words = readAskedWords(text);
  const at = words.findIndex(({ root }) => root === head.root);
  return at < 0 ? [] : [words[at - 1]];
}

/** One figure was asked for, and there is only one for each of something that was not asked about. */
function isOnlyInParts({ text, match, said }: Sight): boolean {
  if (!said.isBreakdown || said.hasWhole) return false;
  const isGroup = ({ word, root }: AskedWord) => !DIRECTION.test(word) && isLike(root, said.groups);
  const isBrokenDown = (words: string) => readAskedWords(words).some(isGroup);
  const full = match.near.filter(({ saysAll }) => saysAll);
  const isMentioned = readAskedWords(text).some(({ root }) => said.isAbout(root) || isLike(root, said.groups));
  return !isMentioned && full.length > 0 && full.every((phrase: NearPhrase) => isBrokenDown(phrase.text));
}

function isLike(root: string, others: ReadonlySet<string>): boolean {
  const names = otherNamesOf(root);
  if (names.size > 0) return [...others].some((other) => names.has(other));
  return isAmong(root, others);
}

function rootsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(rootOf));
}
