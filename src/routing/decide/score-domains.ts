import { type DomainTerms, matchWords, type WordMatch } from './match-words.ts';
import { asksForRelation, readQuestionWords } from './question-words.ts';

/** A domain that a question needs, with the words that indicate it. */
export interface DomainScore {
  index: number;
  score: number;
  evidence: WordMatch[];
}

export interface Scored {
  chosen: DomainScore[];
  /** The best domain that was not chosen, scored by all words. */
  next: DomainScore | undefined;
  /** The share of the question that the chosen domains explain, 0 to 1. */
  cover: number;
  matches: WordMatch[];
  /** Every domain by all words, best first. */
  ranked: DomainScore[];
}

/** A further domain must explain this much of the remaining words; less if the question relates two things. */
const LEAST_REST = 0.72;
const LEAST_RELATED_REST = 0.36;

/** Chooses the best domain, then the best one for the words still unexplained, until nothing is left to explain. */
export function scoreDomains(text: string, domains: readonly DomainTerms[]): Scored {
  const matches = matchWords(readQuestionWords(text), domains);
  const ranked = domains
    .map((_, index) => sumUp(index, matches))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const least = asksForRelation(text) ? LEAST_RELATED_REST : LEAST_REST;
  const chosen: DomainScore[] = [];
  const [first] = ranked;
  if (first && first.score > 0) chosen.push(first);
  for (let next = bestOfRest(domains, matches, chosen); next && next.score >= least; ) {
    chosen.push(next);
    next = bestOfRest(domains, matches, chosen);
  }
  const isChosen = (score: DomainScore) => chosen.some(({ index }) => index === score.index);
  return { chosen, next: ranked.find((score) => !isChosen(score)), cover: coverOf(matches, chosen), matches, ranked };
}

function sumUp(index: number, matches: readonly WordMatch[]): DomainScore {
  const evidence = distinct(matches.filter((match) => (match.strengths[index] ?? 0) > 0));
  return { index, score: evidence.reduce((sum, match) => sum + (match.strengths[index] ?? 0), 0), evidence };
}

function bestOfRest(
  domains: readonly DomainTerms[],
  matches: readonly WordMatch[],
  chosen: readonly DomainScore[],
): DomainScore | undefined {
  if (chosen.length === 0) return undefined;
  const rest = domains.flatMap((_, index) => {
    if (chosen.some((score) => score.index === index)) return [];
    const left = sumUp(
      index,
      matches.filter((match) => isLeftFor(match, index, chosen)),
    );
    // "Customers" alone, which several domains mention, indicates none of them.
    return left.evidence.some(({ isSide }) => !isSide) ? [left] : [];
  });
  return rest.sort((a, b) => b.score - a.score)[0];
}

/** A word is available to another domain if the chosen ones do not have it and it counts much more there. */
function isLeftFor({ strengths, isExact }: WordMatch, index: number, chosen: readonly DomainScore[]): boolean {
  return chosen.every(
    (score) => !isExact[score.index] && (strengths[score.index] ?? 0) < 0.5 * (strengths[index] ?? 0),
  );
}

function coverOf(matches: readonly WordMatch[], chosen: readonly DomainScore[]): number {
  const isKnown = ({ terms }: WordMatch) => chosen.some(({ index }) => terms[index] !== undefined);
  const known = matches.filter(isKnown);
  const asked = matches.filter((match) => isKnown(match) || !match.isSide);
  return asked.length === 0 ? 0 : known.length / asked.length;
}

function distinct(matches: readonly WordMatch[]): WordMatch[] {
  return matches.filter(({ word }, at) => matches.findIndex((other) => other.word.root === word.root) === at);
}
