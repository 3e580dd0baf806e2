import { toTerms } from '../index/terms.ts';
import type { Passage } from '../knowledge.ts';
import type { Question } from './read-question.ts';

/** A passage that holds at least one term of the question. */
export interface Candidate extends Omit<Passage, 'id'> {
  id: number;
  documentId: number;
  headings: string;
  /** The terms of the text, separated by spaces. */
  terms: string;
  /** Hash of title, headings and text. */
  hash: string;
  /** BM25 over title, headings and text. */
  score: number;
}

export interface Ranked {
  candidate: Candidate;
  score: number;
  support: number;
  /** Cosine of its vector and the question's. */
  cosine?: number;
}

export interface Rarity {
  /** Terms of the question that some passage holds. */
  known: ReadonlyMap<string, number>;
  /** The weight of any other term: it may be another word for one of the documents, or another subject. */
  unknown: number;
}

/** Measured on SciFact and Cranfield with `eval-knowledge.ts`; each helps on both sets. */
export const WEIGHTS = { title: 2, headings: 2, body: 1, near: 0.15, phrase: 1 };
/** Question words this close to each other in the text count as neighbours. */
const NEAR_PLACES = 4;

/**
 * Orders candidates: their BM25, plus a bonus for words of the question that are neighbours in the passage, and for
 * exact phrases. `support` is the share of the question that the passage covers; rare words count more.
 */
export function rank(candidates: readonly Candidate[], question: Question, rarity: Rarity): Ranked[] {
  const read = candidates.map((candidate) => {
    const body = candidate.terms.split(' ');
    const places = findPlaces(body, rarity.known);
    const near = nearBonus(question.terms, places, rarity.known);
    const exact = question.phrases.filter((phrase) => hasPhrase(body, phrase)).length;
    const above = new Set(toTerms(`${candidate.title}\n${candidate.headings}`));
    const shared = question.subject.filter((term) => places.has(term) || above.has(term));
    return { candidate, score: candidate.score + WEIGHTS.near * near + WEIGHTS.phrase * exact, shared };
  });
  const least = Math.min(LEAST_SHARED, Math.max(0, ...read.map(({ shared }) => shared.length)));
  const ranked = read.map(({ shared, ...one }) => {
    const support = shared.length < least ? 0 : coverage(shared, question.subject, rarity);
    return { ...one, support };
  });
  return ranked.sort((a, b) => b.score - a.score || compare(a.candidate, b.candidate));
}

export function compare(a: Candidate, b: Candidate): number {
  if (a.document !== b.document) return a.document < b.document ? -1 : 1;
  return a.start - b.start;
}

function findPlaces(body: readonly string[], rarity: ReadonlyMap<string, number>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, term] of body.entries()) {
    if (!rarity.has(term)) continue;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  }
  return places;
}

type Places = ReadonlyMap<string, readonly number[]>;

/** The rarity of each pair of successive question words that are neighbours somewhere in the passage. */
function nearBonus(terms: readonly string[], places: Places, rarity: ReadonlyMap<string, number>): number {
  let bonus = 0;
  for (let at = 1; at < terms.length; at++) {
    const [first = '', second = ''] = [terms[at - 1], terms[at]];
    if (areNear(places.get(first) ?? [], places.get(second) ?? []))
      bonus += Math.min(rarity.get(first) ?? 0, rarity.get(second) ?? 0);
  }
  return bonus;
}

/** Both lists ascend. */
function areNear(first: readonly number[], second: readonly number[]): boolean {
  for (let a = 0, b = 0; a < first.length && b < second.length; ) {
    const distance = (first[a] as number) - (second[b] as number);
    if (Math.abs(distance) <= NEAR_PLACES) return true;
    if (distance < 0) a++;
    else b++;
  }
  return false;
}

function hasPhrase(body: readonly string[], phrase: readonly string[]): boolean {
  for (let at = body.indexOf(phrase[0] as string); at >= 0; at = body.indexOf(phrase[0] as string, at + 1))
    if (phrase.every((term, index) => body[at + index] === term)) return true;
  return false;
}

/** A single shared word may be chance. It counts only if no passage shares more. */
const LEAST_SHARED = 2;
/**
 * A word that no document has may be another word for one of theirs, or another subject. The more words a passage
 * shares, the fewer must be known: six of ten with one shared word, three of ten with four.
 */
const LEAST_KNOWN = 0.69;
const SHARED_WORTH = 0.1;
const MOST_SHARED = 4;

function coverage(shared: readonly string[], terms: readonly string[], rarity: Rarity): number {
  const known = terms.filter((term) => rarity.known.has(term)).length / terms.length;
  if (known + SHARED_WORTH * Math.min(shared.length, MOST_SHARED) < LEAST_KNOWN) return 0;
  const weigh = (some: readonly string[]) =>
    some.reduce((sum, term) => sum + (rarity.known.get(term) ?? rarity.unknown), 0);
  return weigh(shared) / weigh(terms);
}
