import type { Term, WordMatch } from './match-words.ts';
import type { Registry } from './registry.ts';
import type { DomainScore } from './score-domains.ts';

/** For example `'cart abandonment' matches customer_behavior (Cart abandonment and recovery campaigns)`. */
export function describeEvidence(chosen: readonly DomainScore[], registry: Registry): string {
  const parts = chosen.map((score) => {
    const name = registry.domains[score.index]?.name ?? '';
    const strongest = [...score.evidence].sort((a, b) => strengthOf(b, score) - strengthOf(a, score));
    const label = strongest[0]?.terms[score.index]?.label;
    return `${joinNeighbours(score)} matches ${name}${label ? ` (${shorten(label)})` : ''}`;
  });
  return parts.join('; ');
}

export function namesOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

const MAX_LABEL_CHARS = 60;
/** Weaker words are not mentioned beside a strong one. */
const WORTH_NAMING = 0.45;

function strengthOf(match: WordMatch, { index }: DomainScore): number {
  return match.strengths[index] ?? 0;
}

/** Quotes neighbouring words together. */
function joinNeighbours(score: DomainScore): string {
  const named = score.evidence.filter((match) => strengthOf(match, score) >= WORTH_NAMING);
  const shown = (named.length > 0 ? named : score.evidence).map(({ word }) => word);
  const groups: { text: string; end: number }[] = [];
  for (const word of shown) {
    const last = groups.at(-1);
    if (last && word.start === last.end + 1) {
      last.text += ` ${word.text}`;
      last.end = word.end;
    } else groups.push({ text: word.text, end: word.end });
  }
  return groups.map(({ text }) => `'${text.toLowerCase()}'`).join(', ');
}

function shorten(label: Term['label']): string {
  return label.length <= MAX_LABEL_CHARS ? label : `${label.slice(0, MAX_LABEL_CHARS - 1).replace(/\s+\S*$/, '')} …`;
}
