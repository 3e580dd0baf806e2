import type { Candidate } from './candidate.ts';
import { type MessageValues, overlaps } from './values/message-values.ts';

/** How many of a message's values a tool's arguments take, and how many are left over. */
export interface ValueUse {
  used: number;
  unused: number;
}

const NOW = /^(?:today|now|tonight|this (?:morning|afternoon|evening))$/;

interface Span {
  at: number;
  length: number;
}

/** A value counts as used if an argument claims its place, or takes a text that contains it. */
export function countValues(
  values: MessageValues,
  settled: Iterable<Candidate>,
  about: readonly string[] = [],
): ValueUse {
  const taken = [...settled];
  // A tool for today knows "today", and what is said now is meant for now.
  const spans = spansOf(values).filter(({ at, length }) => {
    const words = values.text.slice(at, at + length).toLowerCase();
    return !about.includes(words) && !NOW.test(words);
  });
  const used = spans.filter((span) => taken.some((candidate) => takes(candidate, span, values.text))).length;
  return { used, unused: spans.length - used };
}

function takes({ value, at, length }: Candidate, span: Span, text: string): boolean {
  if (length > 0 && overlaps({ at, length }, span)) return true;
  const words = text.slice(span.at, span.at + span.length);
  return length === 0 && JSON.stringify(value).includes(words);
}

/** The values of a message; two that overlap are one. */
function spansOf({ quoted, tokens, moments, numbers, names, places }: MessageValues): Span[] {
  const all: Span[] = [...quoted, ...tokens, ...moments, ...numbers, ...names, ...places];
  const merged: Span[] = [];
  for (const { at, length } of all.toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last && at < last.at + last.length) last.length = Math.max(last.length, at + length - last.at);
    else merged.push({ at, length });
  }
  return merged;
}
