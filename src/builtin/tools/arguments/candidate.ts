import type { Moment } from '../../../language/moments.ts';
import type { Place } from '../../../language/places.ts';
import type { Quantity } from '../../../language/quantities.ts';
import type { Token } from '../../../language/tokens.ts';
import type { WordVectors } from '../../../language/word-vectors.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Json } from '../../../schema/json.ts';
import type { ArgumentProfile } from './argument-profile.ts';

/** A part of a message. */
export interface Span {
  at: number;
  length: number;
}

/** A part of a message with its value. */
export interface Found<T = string> extends Span {
  value: T;
}

/** The values in a message, by their kind. A number inside quoted text, a date or a code is none of its own. */
export interface MessageValues {
  text: string;
  quoted: Found[];
  tokens: Token[];
  moments: Moment[];
  places: Place[];
  numbers: Quantity[];
  names: Found[];
}

/** A value that an argument may take from a message. `score` is 0 to 1. A length of 0 claims no part of the message. */
export interface Candidate extends Found<Json> {
  score: number;
}

export interface FillContext {
  zone: Zone;
  /** Ids from tool results of this conversation; an id is never invented. */
  ids: readonly string[];
  /** Words of the tool's name: the things that arguments such as `name` and `id` belong to. */
  about?: readonly string[];
  /** Finds the option that a word comes closest to. */
  vectors?: WordVectors;
}

/** Reads the candidates of an argument of one kind. */
export type CandidateReader = (
  profile: ArgumentProfile,
  values: MessageValues,
  options: { context: FillContext; all: readonly ArgumentProfile[] },
) => Candidate[];

/** How sure a reading is: by the argument's own word, by its description, by the value's form, or by elimination. */
export const SURE = { named: 0.95, described: 0.7, shaped: 0.85, linked: 0.75, likely: 0.5, left: 0.35 } as const;

export function overlaps(a: Span, b: Span): boolean {
  return a.at < b.at + b.length && b.at < a.at + a.length;
}

/** Spans in the order of the text; those that overlap are one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { at, length } of spans.toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last && at < last.at + last.length) last.length = Math.max(last.length, at + length - last.at);
    else merged.push({ at, length });
  }
  return merged;
}
