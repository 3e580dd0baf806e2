import type { Sentence } from './answer-parts.ts';

/** A source that an answer may cite: its number, its domain and its display name. */
export interface NamedSource {
  number: number;
  domain: string;
  /** `<domain>.<space>`. */
  source: string;
  displayName: string;
}

/**
 * Returns for each sentence the domain that it cites for its figures: by a footnote mark, by `<domain>.<space>`, by
 * "according to …" or "From …:", or by the heading above it. Undefined if it cites none.
 */
export function readAttributions(
  text: string,
  sentences: readonly Sentence[],
  sources: readonly NamedSource[],
): (string | undefined)[] {
  let heading: string | undefined;
  return sentences.map((sentence) => {
    const words = text.slice(sentence.start, sentence.end);
    const label = readLabel(words, sources);
    const said = byMark(words, sources) ?? bySource(words, sources) ?? label?.domain ?? byPhrase(words, sources);
    if (/^\s*(?:#|\*\*)/.test(words) || label) heading = undefined;
    if (label?.isHeading || (said !== undefined && /:\s*$/.test(words))) heading = said;
    return said ?? heading;
  });
}

/**
 * Returns the domain if all marks are of one source. With several sources, each figure is looked up by its own mark.
 */
function byMark(words: string, sources: readonly NamedSource[]): string | undefined {
  const numbers = new Set([...words.matchAll(/\[(\d{1,2})\]/g)].map((match) => Number(match[1])));
  if (numbers.size !== 1) return undefined;
  return sources.find(({ number }) => numbers.has(number))?.domain;
}

/** The mark that follows a figure, for sentences with several marks. */
export function markBehind(
  text: string,
  at: number,
  sentenceEnd: number,
  sources: readonly NamedSource[],
): string | undefined {
  const match = /\[(\d{1,2})\]/.exec(text.slice(at, sentenceEnd));
  return match ? sources.find(({ number }) => number === Number(match[1]))?.domain : undefined;
}

function bySource(words: string, sources: readonly NamedSource[]): string | undefined {
  const named = sources.filter(({ source }) => words.includes(source));
  return named.length === 1 ? named[0]?.domain : undefined;
}

function byPhrase(words: string, sources: readonly NamedSource[]): string | undefined {
  const named = sources.filter((source) =>
    new RegExp(
      String.raw`\b(?:according to|based on|from|per|source:?|reported by|shown by|data (?:in|of)|in)\s+(?:the\s+)?(?:${namesOf(source)})(?:\s+(?:data|domain|space|records|results))?\b`,
      'i',
    ).test(words),
  );
  return named.length === 1 ? named[0]?.domain : undefined;
}

/** "Inventory:" or "**Inventory**" at the start. Alone on its line it applies to the lines below. */
function readLabel(words: string, sources: readonly NamedSource[]): { domain: string; isHeading: boolean } | undefined {
  for (const source of sources) {
    const label = new RegExp(
      String.raw`^[\s#>*-]*(?:from\s+)?(?:the\s+)?(?:${namesOf(source)})(?:\s+(?:data|domain))?[*]*\s*(?::|[*]{2}|$)[*]*`,
      'i',
    ).exec(words);
    if (label) return { domain: source.domain, isHeading: words.slice(label[0].length).trim() === '' };
  }
  return undefined;
}

function namesOf({ displayName, domain }: NamedSource): string {
  return [displayName, domain, domain.replaceAll('_', ' ')]
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
}
