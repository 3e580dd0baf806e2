import type { Reading, ScoredCandidate } from './reading.ts';

const TWO = /^(?<first>.+?)[,;]?\s+and\s+(?<second>(?:which|what|who)\b.+)$/i;

/** The two questions of a sentence such as "which region sells most, and which has the lowest rating?". */
export function splitRankings(text: string): { first: string; second: string } | undefined {
  const { first, second } = TWO.exec(text.trim())?.groups ?? {};
  return first !== undefined && second !== undefined ? { first, second } : undefined;
}

/** An answer of two rankings; each keeps its own query. Undefined if one of them is not understood. */
export function joinRankings(text: string, first: Reading, second: Reading): Reading | undefined {
  const [a] = first.candidates;
  const [b] = second.candidates;
  const isUnknown = first.unknown.length + second.unknown.length > 0;
  if (!a || !b || isUnknown || !a.query.order || !b.query.order) return undefined;
  const place = text.length - second.text.length;
  const candidate: ScoredCandidate = {
    ...a,
    parts: [...a.parts, ...b.parts],
    spaces: [...new Set([...a.spaces, ...b.spaces])],
    assumptions: [...a.assumptions, ...b.assumptions, 'two rankings were asked for in one sentence'],
    weak: [...a.weak, ...b.weak],
    spans: [...a.spans, ...b.spans.map((span) => ({ ...span, start: span.start + place, end: span.end + place }))],
  };
  return { ...first, text, candidates: [candidate], items: [...first.items, ...second.items] };
}
