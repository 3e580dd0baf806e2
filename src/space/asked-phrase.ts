import { type AskedWord, kindOf, otherNamesOf } from './asked-words.ts';

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
  /** What there has to be one of it for each of: "channel" in "sales by channel". */
  by?: AskedWord;
}

/** Whether a word names something that rows can be about. */
export type IsThing = (word: AskedWord) => boolean;

const LISTING = /^(?:show|list|give|name|identify|find|get|display|top|best)$/;
/** Small words between "which" and what it asks for. */
const BETWEEN = /^(?:our|the|my|their|its|your|these|those|all|any|other|main|key|common|kinds?|types?|sorts?)$/;
const DESCRIBING = /^(?:status|state|situation|performance|levels?)$/;
const NUMERIC = /^(?:average|mean|median|total)$/;
const PART = /^(?:share|percentage|percent|proportion)$/;
const BREAKDOWN = /^(?:by|per|each|every)$/;

/** Words for a figure of any kind. */
export function isNumeric({ word }: AskedWord): boolean {
  return NUMERIC.test(word);
}

export function isListing({ word }: AskedWord): boolean {
  return LISTING.test(word);
}

export function isNoun(word: AskedWord): boolean {
  const kind = kindOf(word);
  return kind === 'content' || kind === 'unit';
}

export function isBetween({ word }: AskedWord): boolean {
  return BETWEEN.test(word);
}

export function isSharing({ word }: AskedWord): boolean {
  return PART.test(word);
}

export function isBreakdown({ word }: AskedWord): boolean {
  return BREAKDOWN.test(word);
}

/** Customers, products: what has other names, and what lists are of. */
export function isGeneric({ root }: AskedWord): boolean {
  return otherNamesOf(root).size > 0;
}

/** "Most", "lowest": one end of what is ranked. */
export function isSuperlative(word: AskedWord): boolean {
  return kindOf(word) === 'high' || kindOf(word) === 'low';
}

/** A row for each of it. */
export function asRows(head: AskedWord | undefined): AskedFor | undefined {
  return head && { kind: 'each', head };
}

/** A row for each of what is named, or else the figure that is. */
export function readNamed(words: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const rows = asRows(findNamed(words, isThing));
  if (rows) return rows;
  const head = lastOfFirst(words);
  return head && { kind: 'figure', head, isNumber: words.some(isNumeric), ...readBreakdown(words) };
}

/** "By channel", "per product category": the last word of what stands there. */
export function readBreakdown(words: readonly AskedWord[]): Pick<AskedFor, 'by'> {
  const at = words.findIndex(isBreakdown);
  const by = at < 0 ? undefined : lastOfFirst(words.slice(at + 1));
  return by ? { by } : {};
}

/** The last of the first things that stand side by side: in "abandoned cart products are", the products. */
export function findThing(words: readonly AskedWord[], isThing: IsThing): AskedWord | undefined {
  const from = words.findIndex((word) => !isBetween(word) && word.word !== 'of');
  let found: AskedWord | undefined;
  for (const word of from < 0 ? [] : words.slice(from)) {
    if (isNoun(word) && isThing(word)) found = word;
    else if (found || (kindOf(word) === 'filler' && !isBetween(word))) return found;
  }
  return found;
}

/** Customers and products are what lists are of; any other word, as in "customer behavior", may be what is shown of them. */
export function findNamed(words: readonly AskedWord[], isThing: IsThing): AskedWord | undefined {
  const from = words.findIndex((word) => !isListing(word) && word.word !== 'me' && word.word !== 'us');
  const found = findThing(words.slice(Math.max(0, from)), isThing);
  const behind = found && words[words.indexOf(found) + 1];
  return found && isGeneric(found) && !(behind && isNoun(behind)) ? found : undefined;
}

/** The last word of what is named first: in "the average rating of our products", the rating; a status is no figure. */
export function lastOfFirst(words: readonly AskedWord[]): AskedWord | undefined {
  const named = words.slice(Math.max(0, words.findIndex(isNoun)));
  const end = named.findIndex((word) => !isNoun(word));
  const length = end < 0 ? named.length : end;
  if (DESCRIBING.test(named[length]?.word ?? '')) return undefined;
  const first = named.slice(0, length);
  return first.findLast((word) => kindOf(word) === 'content') ?? first.at(-1);
}
