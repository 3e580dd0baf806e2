import { cleanLine } from '../schema/user-text.ts';

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

const PREVIEW_CHARS = 160;
/** So much of the text before the hit is shown. */
const LEAD_CHARS = 50;
/** A longer text is searched in its beginning only: a preview is worth no more. */
const MAX_CHARS = 100_000;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A line of the text around the first of these folded words, at most 160 characters. */
export function findPreview(text: string, words: readonly string[]): string {
  const searched = text.slice(0, MAX_CHARS);
  const hit = [...searched.matchAll(WORD)].find(([word]) => isHit(foldWords(word), words));
  const start = Math.max(0, (hit?.index ?? 0) - LEAD_CHARS);
  const isCut = start > 0;
  const from = isCut ? searched.indexOf(' ', start) + 1 || start : 0;
  const begin = from > (hit?.index ?? 0) ? start : from;
  const line = cleanLine(searched.slice(begin, begin + 4 * PREVIEW_CHARS), PREVIEW_CHARS - 2);
  const hasMore = begin + line.length < text.trimEnd().length;
  return `${isCut ? '…' : ''}${line}${hasMore ? '…' : ''}`;
}

function isHit(folded: readonly string[], words: readonly string[]): boolean {
  return folded.some((word) => words.some((wanted, index) => isMatch(word, wanted, index === words.length - 1)));
}

/** The last word of a question may still be typed: its beginning is enough. */
function isMatch(word: string, wanted: string, isLast: boolean): boolean {
  return isLast ? word.startsWith(wanted) : word === wanted;
}
