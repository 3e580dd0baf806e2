import type { TrustedQuestion } from '../load/space-file.ts';
import { readTokens } from '../read/words/tokens.ts';

const SKIPPED: ReadonlySet<string> = new Set('the our a an please me us all of'.split(' '));

/** Finds the trusted question with the user's own wording. Only case, punctuation, articles and plurals may differ. */
export function findExact(text: string, questions: readonly TrustedQuestion[]): TrustedQuestion | undefined {
  const asked = wordsOf(text);
  return questions.find(({ question, examples }) => [question, ...examples].some((one) => wordsOf(one) === asked));
}

function wordsOf(text: string): string {
  const tokens = readTokens(text).filter(({ word }) => !SKIPPED.has(word));
  return tokens.map(({ lemma }) => lemma).join(' ');
}
