import type { NumberCheck } from '../../schema/conversation/turn.ts';
import { isInside, splitSentences } from './answer-parts.ts';
import { type Figure, findFigures } from './find-figures.ts';

const DECLINES = /\b(?:can't|cannot|can not|couldn't|don't|do not|doesn't|unable|not able|no data|not available)\b/i;

/**
 * Marks every figure of an answer without calls as not found. Exceptions are figures in a question back to the user,
 * and the user's own figures in a sentence that declines. Number words count only as percents.
 */
export function markUnbacked(text: string, question: string): NumberCheck[] {
  const sentences = splitSentences(text);
  const asked = new Set(findFigures(question).map(({ text: figure }) => figure.toLowerCase()));
  const isClaim = (figure: Figure) => {
    const part = sentences.find((sentence) => isInside(figure, sentence));
    const sentence = part ? text.slice(part.start, part.end).replaceAll('’', "'") : '';
    if (/\?["”')\]*]*\s*$/.test(sentence)) return false;
    return !(DECLINES.test(sentence) && asked.has(figure.text.toLowerCase()));
  };
  return findFigures(text)
    .filter((figure) => (!figure.isWord || figure.kind === 'percent') && isClaim(figure))
    .map(({ text: written, start, end }) => ({ text: written, start, end, found: false }));
}
