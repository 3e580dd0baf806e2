/** Letters that Unicode does not take apart into a base letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ς: 'σ',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
/** These scripts put no space between words, so each of their characters counts as a word. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu;

/**
 * The words of a text without case and accents, in order. Every store folds texts and questions by this function, so
 * that all of them find the same conversations.
 */
export function foldWords(text: string): string[] {
  const base = text.normalize('NFKD').replace(MARKS, '');
  // Upper case first: it makes SS of ß, and one letter of every form of a letter.
  const folded = base
    .toUpperCase()
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return folded.replace(UNSPACED, ' $& ').match(WORDS) ?? [];
}
