/** Longer texts are not plain. */
const MAX_CHARS = 1_000;

/**
 * The words of a question in lower case. Numbers, "55+" and "18-24" are one word each, and so is every other sign, which no
 * phrase has. Hyphens between words are spaces.
 */
export function plainWords(text: string): string[] {
  if (text.length > MAX_CHARS) return [];
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(what|who|how|where)'s\b/g, '$1 is')
    .replace(/\b(did|have|do)n't\b/g, '$1 not')
    .replace(/\bavg\b\.?/g, 'average')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replace(/[\s?!.]+$/, '');
  return (
    plain.match(/[$€£]?\d+(?:,\d{3})+(?:\.\d+)?%?|[$€£]?\d+\.\d+%?|'s(?!\p{L})|[$€£\p{L}\p{M}\p{N}+&%-]+|\S/gu) ?? []
  );
}

export interface PlainNumber {
  value: number;
  /** It was written with a dollar sign. */
  isMoney: boolean;
}

/** A number in digits or as a word. Other currencies than the dollar are not read. */
export function plainNumber(word: string | undefined): PlainNumber | undefined {
  if (word === undefined) return undefined;
  const at = NUMBERS.indexOf(word);
  if (at >= 0) return { value: at + 1, isMoney: false };
  if (!/^\$?\d[\d,]*(?:\.\d+)?$/.test(word)) return undefined;
  return { value: Number(word.replace(/[$,]/g, '')), isMoney: word.startsWith('$') };
}

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
