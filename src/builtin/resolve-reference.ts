import { contentStems, isOneTypoAway, readPosition, toStems } from './words.ts';

export interface Referable {
  id: string;
  title: string;
}

/** How sure a match is, surest first. */
type MatchKind = 'exact' | 'partial' | 'overlap' | 'position' | 'last';

export type Resolution<T extends Referable> =
  | { kind: 'one'; item: T; how: MatchKind }
  | { kind: 'many'; items: T[]; how: MatchKind }
  | { kind: 'none' };

export interface ReferenceContext<T extends Referable> {
  /** In the order that "the second one" counts by. */
  ordered: readonly T[];
  /** What "it" means, if anything was mentioned. */
  last?: T | undefined;
}

const PRONOUN =
  /^(?:it|that|this|them|(?:that|this|the same|the last|the latest|the newest) (?:one|task|item|todo|reminder|thing))$/i;

export function isPronoun(ref: string): boolean {
  return PRONOUN.test(ref.trim());
}

/** Finds what a few words mean: exact > partial > word overlap > position > last mentioned. */
export function resolveReference<T extends Referable>(
  ref: string,
  items: readonly T[],
  context: ReferenceContext<T>,
): Resolution<T> {
  if (isPronoun(ref)) return context.last ? { kind: 'one', item: context.last, how: 'last' } : { kind: 'none' };
  return (
    toResolution(exactMatches(ref, items), 'exact') ??
    toResolution(partialMatches(ref, items), 'partial') ??
    byPosition(ref, context.ordered) ??
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
function partialMatches<T extends Referable>(ref: string, items: readonly T[]): T[] {
  const wanted = contentStems(ref);
  if (readPosition(ref) !== undefined) return [];
  return items.filter((item) => {
    return holdsRun(toStems(item.title), wanted) || holdsRun(contentStems(item.title), wanted);
  });
}

function holdsRun(words: readonly string[], run: readonly string[]): boolean {
  return run.length > 0 && words.some((_, start) => run.every((word, index) => words[start + index] === word));
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
