import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { DataVocabulary } from '../../schema/data-query.ts';
import { isInside, type Part, type Sentence } from '../check/answer-parts.ts';
import type { ClaimChecker, ClaimsInput } from '../check/claim-checker.ts';
import type { ExecutedQuery } from '../check/executed-query.ts';
import { type Days, daysOfLabel, findPeriods, isOf, type PeriodMention } from '../check/find-periods.ts';
import { checkConditions, isBare } from './check-conditions.ts';
import { checkDirections } from './check-directions.ts';
import { checkMeasures } from './check-measures.ts';
import { type Claim, type ClaimText, executedIn, inside, isStatement } from './claim-text.ts';
import { createMentionFinder, type MentionFinder } from './find-mentions.ts';

export function createClaimChecker(vocabulary: DataVocabulary): ClaimChecker {
  const find = createMentionFinder(vocabulary);
  return (input) => (input.executed.length === 0 ? [] : checkClaims(input, readClaims(input, vocabulary, find)));
}

function checkClaims({ text }: ClaimsInput, claims: ClaimText): NumberCheck[] {
  const found = [checkMeasures, checkDirections, checkConditions, checkPeriods].flatMap((check) => check(claims));
  const distinct = found.filter((claim, at) => found.findIndex((other) => isInside(claim, other)) === at);
  return distinct.map(({ start, end, reason }) => ({ text: text.slice(start, end), start, end, found: false, reason }));
}

function readClaims(
  { text, whole, sentences, names, checks, executed }: ClaimsInput,
  vocabulary: DataVocabulary,
  find: MentionFinder,
): ClaimText {
  const figures = checks.filter(({ found, call_id: id }) => found && executed.some(({ callId }) => callId === id));
  const statements = sentences.filter((sentence) => isStatement(text, sentence, checks));
  const isFree = (part: Part) => !names.some((name) => part.start < name.end && name.start < part.end);
  return {
    text,
    whole,
    sentences: statements,
    mentions: find(text).filter(isFree),
    said: find(whole),
    names: [...names],
    periods: findPeriods(text),
    saidPeriods: findPeriods(whole),
    figures,
    executed: [...executed],
    vocabulary,
  };
}

/** Finds periods that no query covers, and a period of a query that the answer leaves out. */
function checkPeriods(claims: ClaimText): Claim[] {
  return [
    ...claims.sentences.flatMap((sentence) => wrongPeriods(claims, sentence)),
    ...claims.executed.flatMap((executed) => leftOut(claims, executed)),
  ];
}

const UNBOUND = /\b(?:before|after|until|by|as of)\s+(?:the\s+)?(?:end of\s+)?$/i;

function wrongPeriods(claims: ClaimText, sentence: Sentence): Claim[] {
  const executed = executedIn(claims, sentence);
  return inside(claims.periods, sentence).flatMap((period) => {
    if (UNBOUND.test(claims.text.slice(sentence.start, period.start))) return [];
    const known = executed.flatMap((one) => daysOf(claims, one));
    const parts = period.parts ?? [];
    const isKnown = (mention: PeriodMention) => known.some((days) => isOf(mention, days));
    if (isKnown(period) || (parts.length > 0 && parts.every(isKnown))) return [];
    return [{ start: period.start, end: period.end, reason: describe(executed) }];
  });
}

/** The days that an answer may name for a query. Without a period these are all dates of the data. */
function daysOf({ vocabulary }: ClaimText, { query, rows }: ExecutedQuery): Days[] {
  const own = [query.period, query.compare, query.without?.period].filter(
    (days) => days !== null && days !== undefined,
  );
  const labels = query.grain === null ? [] : rows.flatMap((row) => daysOfLabel(String(Object.values(row)[0])) ?? []);
  const today = vocabulary.today.map((day) => ({ from: day, to: day }));
  return [...own, ...labels, ...(own.length === 0 ? [...vocabulary.ranges, ...today] : [])];
}

/** A figure of one month that is given without its month. */
function leftOut(claims: ClaimText, executed: ExecutedQuery): Claim[] {
  const { period } = executed.query;
  const figure = claims.figures.find(({ call_id: id, column }) => id === executed.callId && column !== undefined);
  if (!period || !figure || isBare(claims, executed)) return [];
  const isSaid = claims.saidPeriods.some(
    (mention) => isOf(mention, period) || mention.parts?.some((part) => isOf(part, period)),
  );
  const isQuoted = claims.whole.toLowerCase().includes(period.words.toLowerCase()) && period.words !== '';
  const hasLabels = executed.query.grain !== null && claims.saidPeriods.length > 0;
  const isWrong = claims.periods.some((mention) => !isInside(mention, figure) && !isOf(mention, period));
  if (isSaid || isQuoted || hasLabels || isWrong) return [];
  return [{ start: figure.start, end: figure.end, reason: `the query covers ${spanOf(period)}` }];
}

function describe(executed: readonly ExecutedQuery[]): string {
  const periods = executed.flatMap(({ query }) => [query.period, query.compare].filter((days) => days !== null));
  return periods.length > 0 ? `the query covers ${periods.map(spanOf).join(' and ')}` : 'the query covers all dates';
}

function spanOf({ from, to }: Days): string {
  return from === to ? from : `${from} to ${to}`;
}
