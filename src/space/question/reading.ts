import type { QuerySpan } from '../../schema/data-query.ts';
import type { Draft } from './draft-shape.ts';
import type { Candidate } from './settle/settle.ts';
import type { Item } from './words/item.ts';
import type { ReadItems } from './words/items.ts';

/** How a question was understood, before anything is computed. */
export interface Reading {
  /** Words that are in no list of the model or of grammar. */
  unknown: string[];
  typos: ReadItems['typos'];
  /** Readings without problems, the best ones first. Several of equal score must be asked about. */
  candidates: ScoredCandidate[];
  /** The nearest reading, if all of them have problems. */
  nearest?: ScoredCandidate | undefined;
  items: readonly Item[];
  /** The words that were read: a follow-up is read without the words that only say that it continues. */
  text: string;
  /** It was read as a change of the last question. */
  isEdit: boolean;
}

export interface ScoredCandidate extends Candidate {
  score: number;
  draft: Draft;
  spans: QuerySpan[];
}
