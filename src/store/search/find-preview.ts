import { cleanLine } from '../../schema/clean-text.ts';
import { foldWords } from './fold-text.ts';

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
