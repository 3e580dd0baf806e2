import { rootOf } from './words.ts';

/** Words that mean the same thing in one set of data, compared by their roots. */
export interface Synonyms {
  /** The roots of all words for the same thing, the given one included; empty for a word without synonyms. */
  of(root: string): ReadonlySet<string>;
  /** The main word for a thing; the word itself when it has no synonyms. */
  mainWordFor(word: string): string;
}

/** Reads `{ customers: [shopper, buyer] }`: each key is the main word. */
export function createSynonyms(words: Readonly<Record<string, readonly string[]>> = {}): Synonyms {
  const groups = Object.entries(words).map(([main, others]) => ({
    main,
    roots: new Set([main, ...others].map((word) => rootOf(word.toLowerCase()))),
  }));
  const find = (root: string) => groups.find(({ roots }) => roots.has(root));
  return {
    of: (root) => find(root)?.roots ?? new Set(),
    mainWordFor: (word) => find(rootOf(word))?.main ?? word,
  };
}
