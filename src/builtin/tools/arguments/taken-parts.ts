import { stem } from '../../../language/words.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import type { Candidate } from './candidate.ts';
import { type MessageValues, overlaps } from './values/message-values.ts';

type Span = Pick<Candidate, 'at' | 'length'>;

const UNITS =
  /^(?:%|percent|degrees?|celsius|fahrenheit|euros?|eur|dollars?|pounds?|bucks|people|persons?|guests|grams?|g|kg|mg|ml|l|lit(?:re|er)s?|cm|mm|px|pixels|°c?|oz|lbs?|miles?|kilos?|km|kw|miles?|minutes?|mins?|hours?|hrs?|seconds?|days?|nights?|weeks?|months?|years?|times|pieces?|boxes|bottles|packs?|kcal|calories)$/;

/** The parts of a message that arguments have taken: each day and time with all its words, each value with its unit. */
export function takenParts(settled: ReadonlyMap<ArgumentProfile, Candidate>, values: MessageValues): Candidate[] {
  const used = [...settled].flatMap(([profile, candidate]) =>
    candidate.length > 0 ? [withLabel(profile, candidate, values.text)] : [],
  );
  const spans = [...used, ...values.moments.filter((moment) => used.some((one) => overlaps(one, moment)))];
  return merge(spans).map((span) => ({ ...span, value: null, score: 1 }));
}

/** Spans that overlap are one. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { at, length } of spans.toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last && at < last.at + last.length) last.length = Math.max(last.length, at + length - last.at);
    else merged.push({ at, length });
  }
  return merged;
}

/** "German subtitles", "5 replicas", "40 grams": the word after a value belongs to it if it is its name or its unit. */
function withLabel({ words, kind }: ArgumentProfile, candidate: Candidate, text: string): Candidate {
  const end = candidate.at + candidate.length;
  const [gap = '', next = ''] = /^\s?(%|[a-z]+)(?![\w-])/i.exec(text.slice(end)) ?? [];
  const low = next.toLowerCase();
  const isOwn = words.some((word) => word.length > 2 && stem(word) === stem(low));
  const isUnit = kind === 'number' && UNITS.test(low);
  return isOwn || isUnit ? { ...candidate, length: candidate.length + gap.length } : candidate;
}
