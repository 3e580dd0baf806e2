import { hashColumn } from './hash.ts';
import type { Word } from './proposal.ts';
import { type CorrectWord, createSpelling } from './spelling.ts';

/** Log 2 of the number of columns that features of words are hashed to. */
export const TAG_BITS = 17;

const TIME =
  /^(?:to(?:day|night|morrow)|tmrw|tmr|2day|morning|afternoon|evening|night|noon|midnight|weekend|week|month|year|(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|am|pm|o'clock|hours?|days?|weeks?|minutes?)$/;

const TIMES = [
  'today',
  'tomorrow',
  'tonight',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

/** Words that the features distinguish. */
export interface Lexicon {
  frameWords: ReadonlySet<string>;
  correct: CorrectWord;
}

/** Frame words are the words of command templates; any other word is content. */
export function createLexicon(frameWords: Iterable<string>, knownWords: Iterable<string>): Lexicon {
  const frames = new Set(frameWords);
  return { frameWords: frames, correct: createSpelling([...frames, ...TIMES], new Set([...frames, ...knownWords])) };
}

/** Words of one message, prepared for features: lower case, and which of them carry a frame. */
export interface WordRow {
  lower: readonly string[];
  shapes: readonly string[];
  /** Nearest frame word on each side of a word. */
  left: readonly string[];
  right: readonly string[];
  quoted: readonly boolean[];
}

export function prepareWords(words: readonly Word[], { frameWords, correct }: Lexicon): WordRow {
  const lower = words.map(({ text }) => correct(text.toLowerCase().replace(/’/g, "'")));
  const shapes = lower.map((word) => shapeOf(word, frameWords));
  const isFrame = (at: number) => shapes[at] === 'f' || shapes[at] === 'p';
  const left = lower.map((_, at) => lower[findFrame(at, -1, isFrame, lower.length)] ?? '^');
  const right = lower.map((_, at) => lower[findFrame(at, 1, isFrame, lower.length)] ?? '$');
  return { lower, shapes, left, right, quoted: markQuoted(lower) };
}

function shapeOf(word: string, frameWords: ReadonlySet<string>): string {
  if (TIME.test(word)) return 't';
  if (/^\d/.test(word)) return /[:.]|[ap]m$/.test(word) ? 'h' : 'n';
  if (!/[\p{L}\p{N}]/u.test(word)) return 'p';
  return frameWords.has(word) ? 'f' : 'c';
}

function findFrame(at: number, step: number, isFrame: (at: number) => boolean, length: number): number {
  let place = at + step;
  while (place >= 0 && place < length && !isFrame(place)) place += step;
  return place;
}

/** A quotation mark opens or closes in turn; an apostrophe counts only as a word of its own. */
function markQuoted(lower: readonly string[]): boolean[] {
  let isOpen = false;
  return lower.map((word) => {
    if (/^["“”']$/.test(word)) {
      isOpen = word !== '”' && !isOpen;
      return false;
    }
    return isOpen;
  });
}

/** Columns of one word: itself, its neighbours, the frame around it and how the message begins. */
export function tagFeatures(row: WordRow, at: number): number[] {
  const { lower, shapes, left, right, quoted } = row;
  const word = (offset: number) => lower[at + offset] ?? (at + offset < 0 ? '^' : '$');
  const shape = (offset: number) => shapes[at + offset] ?? (at + offset < 0 ? '^' : '$');
  const self = shape(0) === 'c' ? '_' : word(0);
  const [l, r] = [left[at] ?? '^', right[at] ?? '$'];
  const start = `${lower[0] ?? ''} ${lower[1] ?? ''}`;
  const names = [
    'b',
    `w ${word(0)}`,
    `p ${word(-1)}`,
    `n ${word(1)}`,
    `pp ${word(-2)}`,
    `nn ${word(2)}`,
    `pw ${word(-1)} ${word(0)}`,
    `wn ${word(0)} ${word(1)}`,
    `p2 ${word(-2)} ${word(-1)}`,
    `n2 ${word(1)} ${word(2)}`,
    `pn ${word(-1)} ${self} ${word(1)}`,
    `s ${shape(-2)}${shape(-1)}${shape(0)}${shape(1)}${shape(2)}`,
    `s3 ${shape(-1)}${shape(0)}${shape(1)} ${self}`,
    `l ${l} ${self}`,
    `r ${r} ${self}`,
    `lr ${l} ${r} ${shape(0)}`,
    `lr2 ${l} ${r} ${self}`,
    `f ${lower[0] ?? ''} ${self}`,
    `fl ${lower[0] ?? ''} ${l} ${shape(0)}`,
    `f2 ${start} ${l} ${shape(0)}`,
    `f3 ${start} ${self}`,
    `e ${lower.at(-1) ?? ''} ${self} ${r}`,
    `q ${quoted[at]} ${shape(0)}`,
    `ql ${quoted[at]} ${l}`,
    `at ${Math.min(at, 4)} ${shape(0)}`,
    `to ${Math.min(lower.length - at, 4)} ${shape(0)}`,
    `x3 ${word(0).slice(-3)}`,
    `x2 ${word(0).slice(-2)}`,
    `b3 ${word(0).slice(0, 3)}`,
    `b4 ${word(0).slice(0, 4)}`,
    `p3 ${word(-1).slice(0, 3)} ${shape(0)}`,
  ];
  return names.map((name) => hashColumn(name, TAG_BITS));
}
