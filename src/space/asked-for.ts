import { type AskedWord, kindOf, otherNamesOf, readAskedWords } from './asked-words.ts';

/**
 * What the answer to a question has to give: a row for each of something, a count of it, a figure, a share, or what
 * something is done to ("what do customers buy").
 */
export interface AskedFor {
  kind: 'each' | 'count' | 'figure' | 'share' | 'object';
  /** What it is asked of: "customers" in "which customers", or "who", "when" and "where" themselves. */
  head: AskedWord;
  /** "How much" and "the average" ask for a number of it. */
  isNumber?: boolean;
}

/** Whether a word names something that rows can be about. */
export type IsThing = (word: AskedWord) => boolean;

const CLAUSES = /[?.!;:,()]+|\band(?=\s+(?:which|who|what|when|where|how|is|are|do|does)\b)/i;
const ASKING = /^(?:which|who|when|where|what|how)$/;
const YES_OR_NO = /^(?:do|does|did|is|are|was|were|has|have|had|should|will)$/;
/** "How many are", "how many times": nothing is named that could be counted. */
const HELPING = /^(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|times?)$/;
const LISTING = /^(?:show|list|give|name|identify|find|get|display|top|best)$/;
/** Small words between "which" and what it asks for. */
const BETWEEN = /^(?:our|the|my|their|its|your|these|those|all|any|other|main|key|common|kinds?|types?|sorts?)$/;
const DETERMINER = /^(?:the|our|my|their|its|your)$/;
const BEING = /^(?:is|was|are|were)$/;
const DESCRIBING = /^(?:status|state|situation|performance|levels?)$/;
const NUMERIC = /^(?:average|mean|median|total)$/;
const DOING = /^(?:do|does|did)$/;
/** All that something is done to is alike. */
const DONE: AskedWord = { text: 'what', word: 'what', root: 'what', start: 0, end: 0 };
const PART = /^(?:share|percentage|percent|proportion)$/;

/** What each clause of a question asks for; nothing of one that asks whether, how or why. */
export function readAskedFor(text: string, isThing: IsThing): AskedFor[] {
  return text.split(CLAUSES).flatMap((clause) => readClause(readAskedWords(clause), isThing) ?? []);
}

function readClause(words: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [first] = words;
  if (!first || YES_OR_NO.test(first.word)) return undefined;
  const asking = words.find((word) => ASKING.test(word.word) || kindOf(word) === 'content');
  if (!asking) return undefined;
  const rest = words.slice(words.indexOf(asking) + 1);
  switch (asking.word) {
    case 'which':
      return each(findThing(rest, isThing) ?? rest.filter(isNoun).at(0));
    case 'who':
    case 'when':
    case 'where':
      return each(asking);
    case 'what':
      return readWhat(rest, isThing);
    case 'how':
      return readHow(rest, isThing);
    default:
      return LISTING.test(first.word) ? each(findNamed(words, isThing)) : undefined;
  }
}

function readWhat(rest: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [next, second] = rest;
  if (!next) return undefined;
  if (PART.test(next.word)) return { kind: 'share', head: next };
  if (DOING.test(next.word)) return figure(rest.find(isCost), true) ?? { kind: 'object', head: DONE };
  const isBeing = BEING.test(next.word) && second !== undefined && (DETERMINER.test(second.word) || !isNoun(second));
  if (!isBeing && !DETERMINER.test(next.word)) return each(findThing(rest, isThing));
  const named = rest.slice(isBeing ? 1 : 0);
  const isNumber = named.some(isNumeric);
  return each(findNamed(named, isThing)) ?? figure(lastOfFirst(named), isNumber);
}

function readHow(rest: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [next, ...behind] = rest;
  if (next?.word !== 'many' && next?.word !== 'much') return undefined;
  const head = findThing(behind, isThing) ?? behind.find(isNoun);
  if (next.word === 'much') return figure(head, true);
  const [counted] = behind.filter((word) => !isBetween(word) && word.word !== 'of');
  if (!head || !counted || HELPING.test(counted.word)) return undefined;
  return { kind: 'count', head: kindOf(counted) === 'filler' ? counted : head };
}

/** Words for a figure of any kind. */
export function isNumeric({ word }: AskedWord): boolean {
  return NUMERIC.test(word);
}

/** "What does it cost" asks for a figure. */
function isCost({ root }: AskedWord): boolean {
  return root === 'cost';
}

function each(head: AskedWord | undefined): AskedFor | undefined {
  return head && { kind: 'each', head };
}

function figure(head: AskedWord | undefined, isNumber: boolean): AskedFor | undefined {
  return head && { kind: 'figure', head, isNumber };
}

function isNoun(word: AskedWord): boolean {
  const kind = kindOf(word);
  return kind === 'content' || kind === 'unit';
}

/** The last of the first things that stand side by side: in "abandoned cart products are", the products. */
function findThing(words: readonly AskedWord[], isThing: IsThing): AskedWord | undefined {
  const from = words.findIndex((word) => !isBetween(word) && word.word !== 'of');
  let found: AskedWord | undefined;
  for (const word of from < 0 ? [] : words.slice(from)) {
    if (isNoun(word) && isThing(word)) found = word;
    else if (found || (kindOf(word) === 'filler' && !isBetween(word))) return found;
  }
  return found;
}

function isBetween({ word }: AskedWord): boolean {
  return BETWEEN.test(word);
}

/** Customers and products are what lists are of; any other word, as in "customer behavior", may be what is shown of them. */
function findNamed(words: readonly AskedWord[], isThing: IsThing): AskedWord | undefined {
  const from = words.findIndex(({ word }) => !LISTING.test(word) && word !== 'me' && word !== 'us');
  const found = findThing(words.slice(from), isThing);
  const behind = found && words[words.indexOf(found) + 1];
  return found && otherNamesOf(found.root).size > 0 && !(behind && isNoun(behind)) ? found : undefined;
}

/** The last word of what is named first: in "the average rating of our products", the rating; a status is no figure. */
function lastOfFirst(words: readonly AskedWord[]): AskedWord | undefined {
  const named = words.slice(Math.max(0, words.findIndex(isNoun)));
  const end = named.findIndex((word) => !isNoun(word));
  const length = end < 0 ? named.length : end;
  return DESCRIBING.test(named[length]?.word ?? '') ? undefined : named[length - 1];
}
