import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { Sentence } from './answer-parts.ts';
import type { ExecutedQuery } from './executed-query.ts';
import type { NameMention } from './find-names.ts';

export interface ClaimsInput {
  text: string;
  /** The text with the lines that quote the reading of a query. */
  whole: string;
  sentences: readonly Sentence[];
  names: readonly NameMention[];
  /** Figures and quotations that were looked up already. */
  checks: readonly NumberCheck[];
  executed: readonly ExecutedQuery[];
}

/**
 * Holds the words of an answer against the queries that were executed: measure, direction, conditions, part or whole,
 * and period. Returns the words that do not fit, with the reason.
 */
export type ClaimChecker = (input: ClaimsInput) => NumberCheck[];
