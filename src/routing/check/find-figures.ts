import type { NumberCheck } from '../../schema/conversation/turn.ts';
import { isInside, splitSentences } from './answer-parts.ts';

/** A figure of an answer, with its value, kind and neighbours. */
export interface Figure {
  text: string;
  start: number;
  end: number;
  value: number;
  /** Half a unit of the last written digit: the error that rounding may cause. */
  tolerance: number;
  kind: 'percent' | 'money' | 'plain';
  /** Set for "about 1,200" or "over 50": the author rounded on purpose. */
  rounded: 'near' | 'up' | 'down' | undefined;
  /** The neighbouring words, in lower case. */
  before: string;
  after: string;
  isWord: boolean;
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const WORD = `(?:${TENS.join('|')})(?:[- ](?:${SMALL.slice(1, 10).join('|')}))?|${SMALL.slice(2).toReversed().join('|')}`;
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const FIGURE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,-]|\d[:/])(?<sign>[-−])?(?<money>\p{Sc}\s?)?(?<number>${NUMBER})(?<scale>\s?(?:k|mn?|bn?|thousand|million|billion)(?![\p{L}\p{N}]))?(?<percent>\s?(?:%|percent\b|per cent\b))?(?<currency>\s?(?:dollars|euros|USD|EUR)\b)?(?![\p{L}_]|[.,]?\d|[:/]\d)`,
  'giu',
);
const NUMBER_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?<number>${WORD})(?<percent>\s(?:percent|per cent)\b)?(?![\p{L}\p{N}-])`,
  'giu',
);
const NEAR = /\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|close to)\s*$|~\s*$/i;
const UP = /\b(?:over|more than|above|at least|exceeding|upwards of)\s*$/i;
const DOWN = /\b(?:under|less than|below|fewer than|at most|up to|just under)\s*$/i;

/** Finds every figure of a text except list numbers, footnote marks, ordinals, and parts of words and dates. */
export function findFigures(text: string): Figure[] {
  const digits = [...text.matchAll(FIGURE)]
    .filter((match) => !isMark(text, match))
    .map((match) => toFigure(text, match));
  const words = [...text.matchAll(NUMBER_WORDS)].map((match) => toWordFigure(text, match));
  return [...digits, ...words].sort((a, b) => a.start - b.start);
}

function isMark(text: string, match: RegExpExecArray): boolean {
  const start = match.index;
  const end = start + match[0].length;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isListNumber = /^[\s>*-]*$/.test(text.slice(lineStart, start)) && /^[.)]\s/.test(text.slice(end, end + 2));
  const isFootnote = text[start - 1] === '[' && text[end] === ']';
  const isDate = /\d-$/.test(text.slice(0, start)) || /^-\d/.test(text.slice(end));
  return isListNumber || isFootnote || isDate;
}

function toFigure(text: string, match: RegExpExecArray): Figure {
  const { sign, money, number = '', scale, percent, currency } = match.groups ?? {};
  const factor = SCALES[(scale ?? '').trim().toLowerCase()] ?? 1;
  const decimals = number.split('.')[1]?.length ?? 0;
  return {
    ...placeOf(text, match),
    value: Number(number.replaceAll(',', '')) * factor * (sign ? -1 : 1),
    tolerance: 0.5 * 10 ** -decimals * factor,
    kind: percent ? 'percent' : money || currency ? 'money' : 'plain',
    isWord: false,
  };
}

function toWordFigure(text: string, match: RegExpExecArray): Figure {
  const value = readNumberWord(match.groups?.number ?? '');
  const kind = match.groups?.percent ? 'percent' : 'plain';
  return { ...placeOf(text, match), value, tolerance: 0.5, kind, isWord: true };
}

function readNumberWord(word: string): number {
  const [first = '', second = ''] = word.toLowerCase().split(/[- ]/);
  const tens = TENS.indexOf(first);
  return tens < 0 ? SMALL.indexOf(first) : (tens + 2) * 10 + Math.max(0, SMALL.indexOf(second));
}

function placeOf(text: string, match: RegExpExecArray) {
  const start = match.index;
  const end = start + match[0].length;
  const before = text.slice(Math.max(0, start - 40), start);
  const rounded = NEAR.test(before) ? 'near' : UP.test(before) ? 'up' : DOWN.test(before) ? 'down' : undefined;
  return {
    text: match[0],
    start,
    end,
    rounded: rounded as Figure['rounded'], // one of the four literals above
    before: /([\p{L}]+)[^\p{L}\p{N}]*$/u.exec(before)?.[1]?.toLowerCase() ?? '',
    after: /^[^\p{L}\p{N}.;:!?\n|]*([\p{L}]+)/u.exec(text.slice(end, end + 40))?.[1]?.toLowerCase() ?? '',
  };
}

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
