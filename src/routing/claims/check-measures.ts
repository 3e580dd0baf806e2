import { isCurrency, signOf } from '../../schema/column-format.ts';
import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { Part, Sentence } from '../check/answer-parts.ts';
import { isAveraged, measureOfColumn } from '../check/executed-query.ts';
import { type Claim, type ClaimText, executedAt, executedIn, inside, measureWords } from './claim-text.ts';
import { endsWithRank, isDirectionWord } from './direction-words.ts';
import { type Mention, singular } from './find-mentions.ts';

/** Finds names of measures that no query behind their figures computed, and units that do not belong to them. */
export function checkMeasures(claims: ClaimText): Claim[] {
  return claims.sentences.flatMap((sentence) => [
    ...namedMeasures(claims, sentence),
    ...inside(claims.figures, sentence).flatMap((figure) => unitOf(claims, sentence, figure)),
  ]);
}

function namedMeasures(claims: ClaimText, sentence: Sentence): Claim[] {
  const computed = computedIn(claims, sentence);
  return inside(claims.mentions, sentence).flatMap((mention) => {
    const named = measuresOf(mention);
    if (named.length === 0 || isDirectionWord(mention) || isSideNoun(claims, sentence, mention)) return [];
    const meant = named.filter((name) => computed.includes(name));
    if (meant.length === 0 && isPartOfName(claims, mention, computed)) return [];
    if (meant.length === 0) return [claimOf(mention, `the query computed ${computed.join(' and ')}`)];
    return meant.flatMap((name) => aggregateOf(claims, sentence, mention, name));
  });
}

/** The measures of a sentence's figures; without any, those of all queries. */
function computedIn(claims: ClaimText, sentence: Sentence): string[] {
  const columns = inside(claims.figures, sentence).flatMap(({ call_id: id, column }) => {
    const executed = executedAt(claims, id);
    const measure = executed && column !== undefined ? measureOfColumn(column, executed) : undefined;
    return measure === undefined ? [] : [measure];
  });
  const all = executedIn(claims, sentence).flatMap(({ query }) => [
    ...query.measures.map(({ name }) => name),
    ...query.having.map(({ measure }) => measure),
  ]);
  return [...new Set(columns.length > 0 && !sentence.isTableRow ? columns : all)];
}

function measuresOf({ meanings }: Mention): string[] {
  return meanings.flatMap((meaning) => (meaning.kind === 'measure' ? [meaning.name] : []));
}

/**
 * A noun such as orders, or a word with another meaning, names a measure only as a label, at the head of a column or
 * before a figure, and after a superlative.
 */
function isSideNoun({ text }: ClaimText, sentence: Sentence, mention: Mention): boolean {
  const isOnly = mention.meanings.every(
    (meaning) => meaning.kind === 'measure' && !meaning.name.startsWith('number of '),
  );
  if (isOnly) return false;
  const before = text.slice(sentence.start, mention.start);
  if (endsWithRank(before)) return false;
  const isFirst = /^[\s>#*-]*$/.test(before) && /^[*\s]*:[*\s]*\p{Sc}?\d/u.test(text.slice(mention.end));
  const isLabel = isFirst || (sentence.isTableRow && /^[*\s]*\|/.test(text.slice(mention.end)));
  const isCount = mention.meanings.every(({ kind }) => kind === 'measure' || kind === 'dimension');
  const hasOther = mention.meanings.some(({ kind }) => kind === 'dimension');
  return !isLabel || !isCount || (hasOther && sentence.isTableRow);
}

/** "Inventory" for the stock value, whose names include "inventory value"; "units" for a measure in units. */
function isPartOfName(claims: ClaimText, mention: Mention, computed: readonly string[]): boolean {
  const said = mention.text.toLowerCase().split(/\s+/).map(singular);
  return computed.some((name) => {
    const measure = measureWords(claims, name);
    if (!measure) return false;
    if (said.join(' ') === singular(measure.unit.toLowerCase())) return true;
    return measure.words.some((words) => {
      const own = words.toLowerCase().split(/\s+/).map(singular);
      return said.length < own.length && said.every((word, at) => own[at] === word);
    });
  });
}

const AVERAGE = /\b(?:average|mean|median|typical)\s+(?:of\s+)?(?:the\s+)?$/i;
const TOTAL = /\b(?:total|combined|sum of(?: the)?)\s+$/i;

/** "Average revenue" is not what a sum computes, and "total rating" is not an average. */
function aggregateOf(claims: ClaimText, sentence: Sentence, mention: Mention, name: string): Claim[] {
  const before = claims.text.slice(sentence.start, mention.start);
  const executed = executedIn(claims, sentence).filter(({ query }) => query.measures.some((one) => one.name === name));
  const isAverage = measureWords(claims, name)?.isAverage === true || executed.some((one) => isAveraged(one, name));
  const wrong = (isAverage ? TOTAL : AVERAGE).exec(before);
  if (!wrong || executed.length === 0) return [];
  const start = sentence.start + wrong.index;
  return [
    claimOf({ start, end: mention.end }, `the query computed ${isAverage ? 'an average' : 'a total'} of ${name}`),
  ];
}

/** "$12" for a measure in units or in euros, or "12 units" for one in dollars. */
function unitOf(claims: ClaimText, sentence: Sentence, figure: NumberCheck): Claim[] {
  const executed = executedAt(claims, figure.call_id);
  const { column, row } = figure;
  if (!executed || column === undefined || row === undefined) return [];
  const measure = measureOfColumn(column, executed);
  const words = measure === undefined ? undefined : measureWords(claims, measure);
  if (measure === undefined || !words) return [];
  const reason = `the query computed ${measure}`;
  const sign = /^[-−]?(\p{Sc})/u.exec(figure.text)?.[1];
  if (sign !== undefined && sign !== signOfUnit(words.unit)) return [claimOf(figure, reason)];
  const noun = inside(claims.mentions, sentence).find(({ start }) => isBehind(claims, figure, start));
  if (!noun || measuresOf(noun).length === 0 || measuresOf(noun).includes(measure)) return [];
  const said = singular(noun.text.toLowerCase());
  const isOwn =
    said === singular(words.unit.toLowerCase()) || column.split('_').some((word) => singular(word) === said);
  const isOther = noun.meanings.some(({ kind }) => kind === 'value' || kind === 'filter');
  return isOwn || isOther ? [] : [claimOf(noun, reason)];
}

function signOfUnit(unit: string): string | undefined {
  return isCurrency(unit) ? signOf(unit) : undefined;
}

function isBehind({ text }: ClaimText, figure: Part, start: number): boolean {
  return start > figure.end && /^\s+$/.test(text.slice(figure.end, start));
}

function claimOf({ start, end }: Part, reason: string): Claim {
  return { start, end, reason };
}
