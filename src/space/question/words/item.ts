import type { Period } from '../../../schema/data-query.ts';
import type { FunctionSense } from './function-words.ts';
import type { Sense } from './lexicon.ts';
import type { NumberSign } from './tokens.ts';

export interface Place {
  /** The words as they were written. */
  words: string;
  start: number;
  end: number;
  /** The words with their typos corrected. */
  read?: string;
  /** A comma, colon or dash follows it. */
  isStop?: boolean;
}

/** A part of a question: words with a grammatical task, words of the model, a period, a number, or unknown words. */
export type Item = Place &
  (
    | { kind: 'function'; sense: FunctionSense }
    | { kind: 'content'; senses: readonly Sense[] }
    | { kind: 'period'; period: Period; isDoubtful: boolean }
    | { kind: 'number'; value: number; sign?: NumberSign | undefined }
    | { kind: 'unknown' }
  );
