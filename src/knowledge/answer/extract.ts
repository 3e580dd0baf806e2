import { hasStem, readStems } from '../cite/evidence.ts';
import { findNames } from '../cite/names.ts';
import { splitPlaces, type TextPlace } from '../cite/places.ts';
import { findAmounts } from '../cite/quantities.ts';
import { questionStems } from './question.ts';
import type { ReturnedPassage } from './returned-passages.ts';
import { describeHeading } from './search-tool.ts';

interface Candidate {
  place: TextPlace;
  /** The items that a line before a list announces. */
  items: readonly TextPlace[];
  passage: ReturnedPassage;
  score: number;
}

/** Earlier passages were ranked higher by the search; a later one must answer clearly better. */
const RANK_LOSS = 0.08;
const EXPECTED_BONUS = 0.35;
/** A line of code seldom answers a question as a sentence does. */
const CODE_SHARE = 0.5;
const CONTEXT_SHARE = 0.5;
const MAX_FURTHER = 2;

/**
 * Answers a question with the sentence of the passages that fits it best, in the words of the document, and names up to
 * two further passages.
 */
export function writeExtract(question: string, passages: readonly ReturnedPassage[]): string {
  const candidates = passages.flatMap((passage, rank) => {
    const places = splitPlaces(passage.text);
    return places.map((place, index): Candidate => {
      const share = place.kind === 'code' ? CODE_SHARE : 1;
      const score = rate(place, question, [passage.title, ...passage.breadcrumb]) * (1 - RANK_LOSS * rank) * share;
      return { place, items: itemsAfter(places, index), passage, score };
    });
  });
  const sorted = candidates.toSorted((a, b) => b.score - a.score);
  const [best] = sorted;
  if (!best) return '';
  const { passage } = best;
  const others = passages.filter(({ id }) => id !== passage.id).slice(0, MAX_FURTHER);
  const further = others.map((other) => `- ${describeHeading(other)}${pageOf(other)} [${other.id}]`);
  const heading = `${describeHeading(passage)}${pageOf(passage)}:`;
  const line = `${heading} ${quote(best)} [${passage.id}]`;
  const nearest = sorted.filter((one) => one.passage === passage).slice(0, MAX_QUOTED);
  const inOrder = candidates.filter((one) => nearest.includes(one));
  const answer =
    shareSaid(question, line) < SURE_SHARE
      ? [UNSURE, '', heading, ...inOrder.map((one) => `- ${quote(one)} [${passage.id}]`)]
      : [line];
  return [...answer, ...(further.length === 0 ? [] : ['', 'See also:', ...further])].join('\n');
}

/** The opening of an answer that may have quoted the wrong passage. */
export const UNSURE = 'I am not sure that this answers your question. The nearest passage:';
/** With a smaller share of the question's words, a quotation may not answer it. */
const SURE_SHARE = 0.5;
const MAX_QUOTED = 3;

/** How many of the words that a question is about stand in a text, 0 to 1. */
function shareSaid(question: string, text: string): number {
  const wanted = questionStems(question);
  const said = readStems(text);
  return wanted.filter((one) => hasStem(said, one)).length / Math.max(1, wanted.length);
}

function pageOf({ page }: ReturnedPassage): string {
  return page === undefined ? '' : `, page ${page}`;
}

const MAX_ITEMS = 6;

function itemsAfter(places: readonly TextPlace[], index: number): TextPlace[] {
  if (!places[index]?.text.endsWith(':')) return [];
  const end = places.findIndex((place, at) => at > index && place.kind !== 'item');
  return places.slice(index + 1, end === -1 ? undefined : end).slice(0, MAX_ITEMS);
}

/** A sentence as it stands there, with the list that it announces; a row with the names of its columns. */
function quote({ place, items }: Candidate): string {
  if (place.kind === 'row') return place.text;
  return [`“${place.text}”`, ...(items.length > 0 ? [items.map(({ text }) => text).join('; ')] : [])].join(' ');
}

/** The share of the words of a question that a place has itself, or that the title and headings above it have. */
function rate(place: TextPlace, question: string, heads: readonly string[]): number {
  const wanted = questionStems(question);
  const own = readStems(place.text);
  const around = readStems([place.context, ...heads].join(' '));
  const found = wanted.reduce(
    (sum, one) => sum + (hasStem(own, one) ? 1 : hasStem(around, one) ? CONTEXT_SHARE : 0),
    0,
  );
  const part = found / Math.max(1, wanted.length);
  return part + (part > 0 && isExpected(question, place.text) ? EXPECTED_BONUS : 0);
}

const COUNTED =
  /\b(?:how (?:many|much|long|often|old|far|big|high|late|early|soon)|when|what time|what date|deadline)\b/i;

/** The kind of thing that a question asks for: a number, a person, or a time. */
function isExpected(question: string, text: string): boolean {
  if (COUNTED.test(question)) return findAmounts(text).length > 0;
  if (/\bwho\b|\bwhom\b/i.test(question)) return findNames(text).some(({ isFirst }) => !isFirst);
  return false;
}
