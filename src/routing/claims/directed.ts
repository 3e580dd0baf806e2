import type { Sentence } from '../check/answer-parts.ts';
import type { ExecutedQuery } from '../check/executed-query.ts';
import type { ClaimText } from './claim-text.ts';
import type { DirectionWord } from './direction-words.ts';

/** A word that claims a direction, with its sentence and the query that it is about. */
export interface Directed {
  claims: ClaimText;
  sentence: Sentence;
  word: DirectionWord;
  executed: ExecutedQuery;
}
