import { contentStems, isOneTypoAway, stem } from '../../language/words.ts';

/** Shorter words are too common to be taken for a misspelt word of a title. */
const MIN_TYPO_CHARS = 5;

/** For each word 1 if it is a word of one of the titles, otherwise 0. */
export function flagKnown(words: readonly string[], titles: readonly string[]): number[] {
  const stems = new Set(titles.flatMap((title) => contentStems(title)));
  const long = [...stems].filter((word) => word.length >= MIN_TYPO_CHARS);
  return words.map((word) => {
    const [own] = contentStems(word);
    if (own === undefined) return 0;
    if (stems.has(own) || stems.has(stem(word.toLowerCase()))) return 1;
    return own.length >= MIN_TYPO_CHARS && long.some((other) => isOneTypoAway(own, other)) ? 1 : 0;
  });
}
