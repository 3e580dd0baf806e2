import { withoutVerb } from '../../language/action-verbs.ts';
import { isKnownWord } from '../../language/typos.ts';
import { contentStems, isOneTypoAway, readPosition, toStems } from '../../language/words.ts';

export interface Referable {
  id: string;
  title: string;
}

/**
 * How a match was found. `named`: the words say what the title is about; `partial`: only a part of it. `counted`: a
 * number in a list that the user has not seen as it is. `stale`: "it", some turns after the task was mentioned.
 */
export type MatchKind = 'exact' | 'named' | 'partial' | 'typo' | 'overlap' | 'position' | 'counted' | 'last' | 'stale';

export type Resolution<T extends Referable> =
  | { kind: 'one'; item: T; how: MatchKind }
  | { kind: 'many'; items: T[]; how: MatchKind }
  | { kind: 'none' };

export interface ReferenceContext<T extends Referable> {
  /** In the order that "the second one" counts by. */
  ordered: readonly T[];
  /** The meaning of "it", if anything was mentioned. */
  last?: T | undefined;
}

const PRONOUN =
  /^(?:it|that|this|them|(?:that|this|the same|the last|the latest|the newest) (?:one|task|item|todo|reminder|thing))$/i;
/** A title says what it is about before these words; behind them are details. */
const DETAIL = /^(?:for|about|with|from|at|by|to|on|in|of|before|after|regarding|re|via|until|and)$/i;

export function isPronoun(ref: string): boolean {
  return PRONOUN.test(ref.trim());
}

/** Finds what a few words mean: exact > named > partial > position > typo > word overlap > last mentioned. */
export function resolveReference<T extends Referable>(
  ref: string,
  items: readonly T[],
  context: ReferenceContext<T>,
): Resolution<T> {
  // A number below the list is no place in it.
  if (/^[-−]\s*\d+$/.test(ref.trim())) return { kind: 'none' };
  if (isPronoun(ref)) return context.last ? { kind: 'one', item: context.last, how: 'last' } : { kind: 'none' };
  return (
    toResolution(exactMatches(ref, items), 'exact') ??
    byWords(ref, items) ??
    byPosition(ref, context.ordered) ??
    toResolution(typoMatches(ref, items), 'typo') ??
    toResolution(overlapMatches(ref, items), 'overlap') ?? { kind: 'none' }
  );
}

function toResolution<T extends Referable>(matches: T[], how: MatchKind): Resolution<T> | undefined {
  const [first] = matches;
  if (!first) return undefined;
  return matches.length === 1 ? { kind: 'one', item: first, how } : { kind: 'many', items: matches, how };
}

function byPosition<T extends Referable>(ref: string, ordered: readonly T[]): Resolution<T> | undefined {
  const position = readPosition(ref);
  if (position === undefined) return undefined;
  const item = ordered.at(position > 0 ? position - 1 : position);
  return item ? { kind: 'one', item, how: 'position' } : { kind: 'none' };
}

function exactMatches<T extends Referable>(ref: string, items: readonly T[]): T[] {
  const same = items.filter((item) => item.title.trim().toLowerCase() === ref.trim().toLowerCase());
  if (same.length > 0) return same;
  const wanted = contentStems(ref).join(' ');
  return items.filter((item) => contentStems(item.title).join(' ') === wanted);
}

/** The reference's words stand together in the title. */
function byWords<T extends Referable>(ref: string, items: readonly T[]): Resolution<T> | undefined {
  if (readPosition(ref) !== undefined) return undefined;
  const wanted = contentStems(ref);
  const holding = items.filter(
    ({ title }) => holdsRun(toStems(title), wanted) || holdsRun(contentStems(title), wanted),
  );
  const isNamed = holding.every(({ title }) => saysWhat(wanted, title));
  return toResolution(holding, isNamed ? 'named' : 'partial');
}

/**
 * True if the words cover what the title is about: all of it but its verb, or the last word before its details.
 * "report" names "finish the report for Bob"; "call Anna" does not name "call Anna about the lease".
 */
function saysWhat(wanted: readonly string[], title: string): boolean {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}]+)*/gu) ?? [];
  const object = withoutVerb(words);
  const isWhole = contentStems(object.join(' ')).join(' ') === wanted.join(' ');
  const end = object.findIndex((word, index) => index > 0 && DETAIL.test(word));
  const about = contentStems(object.slice(0, end < 0 ? undefined : end).join(' '));
  const beginsWithVerb = object !== words && wanted[0] === toStems(words[0] ?? '')[0];
  return isWhole || (object !== words && !beginsWithVerb && wanted.at(-1) === about.at(-1));
}

function holdsRun(words: readonly string[], run: readonly string[]): boolean {
  return run.length > 0 && words.some((_, start) => run.every((word, index) => words[start + index] === word));
}

/** As `named` or `exact`, with a misspelt word. A word that exists is not misspelt: "Maria" does not name "Marta". */
function typoMatches<T extends Referable>(ref: string, items: readonly T[]): T[] {
  const wanted = contentStems(ref);
  return items.filter(({ title }) => {
    const stems = contentStems(title);
    const meant = wanted.map((word) =>
      isKnownWord(word) ? word : (stems.find((other) => isSameWord(word, other)) ?? word),
    );
    return wanted.length > 0 && meant.every((word) => stems.includes(word)) && saysWhat(meant, title);
  });
}

/** The items that share the most words, at least half of the shorter side; a typo in a longer word still counts. */
function overlapMatches<T extends Referable>(ref: string, items: readonly T[]): T[] {
  const wanted = [...new Set(contentStems(ref))];
  const scored = items.map((item) => ({ item, score: overlap(wanted, [...new Set(contentStems(item.title))]) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best >= 0.5 ? scored.filter(({ score }) => score === best).map(({ item }) => item) : [];
}

function overlap(wanted: readonly string[], title: readonly string[]): number {
  const shared = wanted.filter((word) => title.some((other) => isSameWord(word, other))).length;
  return shared / Math.max(1, Math.min(wanted.length, Math.max(title.length, 2)));
}

function isSameWord(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= 4 && isOneTypoAway(a, b));
}
