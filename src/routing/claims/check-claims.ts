import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { DataVocabulary } from '../../schema/data-query.ts';
import { isInside, type Part } from '../check/answer-parts.ts';
import type { ClaimChecker, ClaimsInput } from '../check/claim-checker.ts';
import { findPeriods } from '../check/find-periods.ts';
import { checkConditions } from './check-conditions.ts';
import { checkDirections } from './check-directions.ts';
import { checkMeasures } from './check-measures.ts';
import { checkPeriods } from './check-periods.ts';
import { type ClaimText, isStatement } from './claim-text.ts';
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
