import type { RoutingDecision } from '../../schema/domain.ts';
import type { Registry } from './registry.ts';
import type { Scored } from './score-domains.ts';

type DomainScores = NonNullable<RoutingDecision['scores']>;

/** Grows with the words that point to a domain and with how much of the question is explained; 0.5 to 0.99. */
export function scoreToConfidence(score: number, cover: number): number {
  return round(Math.min(0.99, 0.5 + 0.3 * (1 - Math.exp(-score)) + 0.2 * cover));
}

/**
 * The score of every domain that some word points to, best first. A domain that is asked has at least 0.5, any other one
 * less, so that a reader can compare them.
 */
export function toDomainScores(asked: readonly string[], scored: Scored, registry: Registry): DomainScores {
  const { chosen, ranked, cover } = scored;
  const scores = ranked.flatMap((byAllWords): DomainScores => {
    const domain = registry.domains[byAllWords.index]?.name ?? '';
    const own = chosen.find(({ index }) => index === byAllWords.index);
    if (asked.includes(domain))
      return [{ domain, score: scoreToConfidence(own?.score ?? byAllWords.score, own ? cover : 0) }];
    const score = round(0.49 * (1 - Math.exp(-byAllWords.score)));
    return score > 0 ? [{ domain, score }] : [];
  });
  return scores.toSorted((a, b) => b.score - a.score);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
