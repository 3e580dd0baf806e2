import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { DataVocabulary, MeasureWords } from '../../schema/data-query.ts';
import { isInside, type Part, type Sentence } from '../check/answer-parts.ts';
import type { ExecutedQuery } from '../check/executed-query.ts';
import type { NameMention } from '../check/find-names.ts';
import type { PeriodMention } from '../check/find-periods.ts';
import type { Mention } from './find-mentions.ts';

/** Words of an answer that the executed query does not support. */
export interface Claim extends Part {
  /** The words that the query has instead. */
  reason: string;
}

/** An answer with everything that was found in it. */
export interface ClaimText {
  text: string;
  /** The text with the lines that quote the reading of a query. */
  whole: string;
  /** Sentences that state something. */
  sentences: Sentence[];
  mentions: Mention[];
  /** Mentions of the whole text. */
  said: Mention[];
  names: NameMention[];
  periods: PeriodMention[];
  saidPeriods: PeriodMention[];
  /** Figures with their places in the results. */
  figures: NumberCheck[];
  executed: ExecutedQuery[];
  vocabulary: DataVocabulary;
}

const OFFER =
  /\?["”')\]*]*\s*$|\b(?:let me know|would you like|if you(?:'d| would)? (?:want|need|like)|i can also|happy to|feel free|want me to|you could also)\b/i;
const DENIAL =
  /\b(?:not|no|nothing|never|cannot|without|neither|unknown|may|might|could|should|consider|recommend|suggest|worth (?:a|checking|looking))\b|n['’]t\b/i;

/** Offers, questions, advice and remarks on what was not looked at state nothing about the data. */
export function isStatement(text: string, sentence: Part, figures: readonly Part[]): boolean {
  const words = text.slice(sentence.start, sentence.end);
  if (OFFER.test(words)) return false;
  return figures.some((figure) => isInside(figure, sentence)) || !DENIAL.test(words);
}

export function textOf({ text }: ClaimText, part: Part): string {
  return text.slice(part.start, part.end);
}

export function inside<T extends Part>(parts: readonly T[], whole: Part): T[] {
  return parts.filter((part) => isInside(part, whole));
}

export function executedAt({ executed }: ClaimText, callId: string | undefined): ExecutedQuery | undefined {
  return executed.find((one) => one.callId === callId);
}

/** The queries that the figures of a sentence come from; without such figures, all. */
export function executedIn(claims: ClaimText, sentence: Part): ExecutedQuery[] {
  const ids = new Set(inside(claims.figures, sentence).map(({ call_id: id }) => id));
  const own = claims.executed.filter(({ callId }) => ids.has(callId));
  return own.length > 0 ? own : claims.executed;
}

export function measureWords({ vocabulary }: ClaimText, name: string): MeasureWords | undefined {
  return vocabulary.measures.find((measure) => measure.name === name);
}

export function segmentOf(sentence: Sentence, part: Part): Part {
  return sentence.segments.find((segment) => isInside(part, segment)) ?? sentence;
}
