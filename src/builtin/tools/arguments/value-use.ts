import { stem } from '../../../language/words.ts';
import { requestOf } from '../statement.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type MessageValues, mergeSpans, overlaps, type Span } from './candidate.ts';
import { measureOf } from './units.ts';

/** The value that each argument has so far. */
export type Settled = Map<ArgumentProfile, Candidate>;

/** How many of a message's values a tool's arguments take, and the words of those that are left over. */
export interface ValueUse {
  used: number;
  unused: number;
  left: string[];
}

const NOW = /^(?:today|now|tonight|this (?:morning|afternoon|evening))$/;

/** A value counts as used if an argument claims its place, or takes a text that contains it. */
export function countValues(values: MessageValues, settled: Settled, about: readonly string[] = []): ValueUse {
  const { text, quoted, tokens, moments, numbers, names, places } = values;
  const taken = [...settled.values()];
  // A tool for today knows "today", and what is said now is meant for now.
  const spans = mergeSpans([...quoted, ...tokens, ...moments, ...numbers, ...names, ...places]).filter((span) => {
    const words = wordsOf(span, text).toLowerCase();
    return !about.includes(words) && !NOW.test(words);
  });
  const left = spans.filter((span) => !taken.some((candidate) => takes(candidate, span, text)));
  return { used: spans.length - left.length, unused: left.length, left: namedLeft(left, text) };
}

/** The words of the values that are worth naming: those of a remark beside the request are no part of it. */
function namedLeft(left: readonly Span[], text: string): string[] {
  const request = left.length === 0 ? '' : requestOf(text);
  return left
    .map((span) => wordsOf(span, text).replace(/[.,;:!?]+$/, ''))
    .filter((words) => request.includes(words) && /\d|\p{L}{3}/u.test(words) && !/^(?:the|one)$/i.test(words));
}

function wordsOf({ at, length }: Span, text: string): string {
  return text.slice(at, at + length);
}

function takes({ value, at, length }: Candidate, span: Span, text: string): boolean {
  return length > 0 ? overlaps({ at, length }, span) : JSON.stringify(value).includes(wordsOf(span, text));
}

/** The parts of a message that arguments have taken: each day and time with all its words, each value with its unit. */
export function takenParts(settled: Settled, { text, moments }: MessageValues): Span[] {
  const used = [...settled].flatMap(([profile, candidate]) =>
    candidate.length > 0 ? [withLabel(profile, candidate, text)] : [],
  );
  return mergeSpans([...used, ...moments.filter((moment) => used.some((one) => overlaps(one, moment)))]);
}

const COUNTED = /^(?:people|persons?|guests|times|pieces?|boxes|bottles|packs?|kcal|calories|kw)$/;

/** "German subtitles", "5 replicas", "40 grams": the word after a value belongs to it if it is its name or its unit. */
function withLabel({ words, kind }: ArgumentProfile, { at, length }: Span, text: string): Span {
  const [gap = '', next = ''] = /^\s?(%|°c?|[a-z]+)(?![\w-])/i.exec(text.slice(at + length)) ?? [];
  const low = next.toLowerCase();
  const isOwn = words.some((word) => word.length > 2 && stem(word) === stem(low));
  const isUnit = kind === 'number' && (measureOf([low]) !== undefined || COUNTED.test(low));
  return { at, length: isOwn || isUnit ? length + gap.length : length };
}
