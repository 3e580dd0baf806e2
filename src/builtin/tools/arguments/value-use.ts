import { requestOf } from '../statement.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type MessageValues, mergeSpans, overlaps, type Span } from './candidate.ts';

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

/** The parts of a message that arguments have taken: each day and time with all its words. */
export function takenParts(settled: Settled, { moments }: MessageValues): Span[] {
  const used = [...settled.values()].filter(({ length }) => length > 0);
  return mergeSpans([...used, ...moments.filter((moment) => used.some((one) => overlaps(one, moment)))]);
}
