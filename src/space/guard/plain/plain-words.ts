/** The words of a question in lower case. Numbers, "55+" and "18-24" are one word each; a comma is a word, too. Hyphens between words are spaces. */
export function plainWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(what|who|how|where)'s\b/g, '$1 is')
    .replace(/\b(did|have|do)n't\b/g, '$1 not')
    .replace(/\bavg\b\.?/g, 'average')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replace(/[\s?!.;:]+$/, '');
  return plain.match(/[$€£]?\d+(?:,\d{3})+(?:\.\d+)?%?|[$€£]?\d+\.\d+%?|'s(?!\p{L})|[$€£\p{L}\p{N}+&%-]+|[,:]/gu) ?? [];
}

/** The value of a number, written in digits or as a word. */
export function plainNumber(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const at = NUMBERS.indexOf(word);
  if (at >= 0) return at + 1;
  return /^[$€£]?\d[\d,]*(?:\.\d+)?$/.test(word) ? Number(word.replace(/[$€£,]/g, '')) : undefined;
}

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
