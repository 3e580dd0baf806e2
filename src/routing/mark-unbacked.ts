import type { NumberCheck } from '../schema/turn.ts';
import { isInside, splitSentences } from './answer-parts.ts';
import { type Figure, findFigures } from './find-figures.ts';

const DECLINES = /\b(?:can't|cannot|can not|couldn't|don't|do not|doesn't|unable|not able|no data|not available)\b/i;

/**
 * The figures of an answer that has no call: each is marked as not found. A figure in a question back is not a
 * claim, nor is one of the user's that the answer declines. Number words count only as percents.
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
