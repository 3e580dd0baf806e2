import type { RoutingDecision } from '../../schema/domain.ts';
import { asksForForecast, asksWhyNot, leansOnEarlier, pointsElsewhere, readQuestionWords } from './question-words.ts';
import { describeEvidence, namesOf } from './reasoning.ts';
import { areWordsOf, type Registry } from './registry.ts';
import { type DomainScore, type Scored, scoreDomains } from './score-domains.ts';

export interface Question {
  text: string;
  /** The domains of the last answered question of this conversation. */
  earlier: readonly string[];
}

type Scores = NonNullable<RoutingDecision['scores']>;

/** A lower score means nothing. From here on a domain is chosen, if it also explains most of the words. */
const LEAST_SCORE = 0.5;
const SURE_SCORE = 0.95;
const LEAST_COVER = 0.5;
const LEAST_COVER_WHEN_SURE = 0.3;
const ELSEWHERE_SCORE = 2.2;
/** Two domains with scores this close, from shared words, are alternatives. */
const NEAR = 0.85;
/** Only questions with at most this many words can be follow-ups. */
const FOLLOW_UP_WORDS = 8;

const CARRIED_CONFIDENCE = 0.7;
export const ANSWERED = { ambiguity_detected: false, clarification_needed: false, out_of_scope: false } as const;

/** Decides which domains a question needs, using only the registry's words. The result is deterministic. */
export function decide(question: Question, registry: Registry): RoutingDecision {
  const text = question.text.trim();
  if (asksForForecast(text))
    return empty(text, 'out_of_scope', 'The question asks for a forecast; the data holds only what has happened.');
  const scored = scoreDomains(text, registry.terms);
  const earlier = question.earlier.filter((name) => registry.find(name));
  const goesOn = earlier.length > 0 && isFollowUp(text, registry);
  if (isMeant(text, scored, registry) && !(goesOn && isAside(scored))) return choose(text, scored, registry);
  if (goesOn) return carry(text, earlier, scored, registry);
  return { ...declineOrAsk(text, scored, registry), scores: toDomainScores([], scored, registry) };
}

const isElsewhere = (text: string, registry: Registry): boolean =>
  pointsElsewhere(text, (words) => registry.domains.some(({ name }) => areWordsOf([name], words, registry)));

function isMeant(text: string, { chosen, cover }: Scored, registry: Registry): boolean {
  const score = chosen[0]?.score ?? 0;
  if (isElsewhere(text, registry)) return score >= ELSEWHERE_SCORE;
  if (score >= SURE_SCORE) return cover >= LEAST_COVER_WHEN_SURE;
  return score >= LEAST_SCORE && cover > LEAST_COVER;
}

function choose(text: string, scored: Scored, registry: Registry): RoutingDecision {
  const nameOf = (score: DomainScore) => registry.domains[score.index]?.name ?? '';
  const names = scored.chosen.map(nameOf);
  const rival = findRival(scored);
  const cause = names.length === 1 && asksWhyNot(text) ? causeOf(names[0] ?? '', registry) : undefined;
  const evidence = describeEvidence(scored.chosen, registry);
  const identified = [...names, ...(cause ? [cause] : []), ...(rival ? [nameOf(rival)] : [])];
  const notes = [
    evidence,
    ...(cause ? [`why something does not happen may show in ${cause}`] : []),
    ...(rival ? [`the words fit ${namesOf([...names, nameOf(rival)])} alike`] : []),
  ];
  return {
    user_query: text,
    identified_domains: identified,
    reasoning: `${notes.join('; ')}.`,
    // The weakest chosen domain decides.
    confidence: scoreToConfidence(Math.min(...scored.chosen.map(({ score }) => score)), scored.cover),
    scores: toDomainScores(identified, scored, registry),
    ...ANSWERED,
    ambiguity_detected: rival !== undefined,
  };
}

/** A second domain that the same words fit equally well. */
function findRival({ chosen, next }: Scored): DomainScore | undefined {
  const [first] = chosen;
  if (!first || !next || chosen.length > 1 || first.score >= SURE_SCORE) return undefined;
  return next.score >= NEAR * first.score ? next : undefined;
}

function causeOf(name: string, registry: Registry): string | undefined {
  return registry.find(name)?.related_domains.find((related) => registry.find(related));
}

function isFollowUp(text: string, registry: Registry): boolean {
  const isShort = text.split(/\s+/).length <= FOLLOW_UP_WORDS;
  return !isElsewhere(text, registry) && leansOnEarlier(text) && (isShort || readQuestionWords(text).length <= 2);
}

/** "And by region?" breaks down the last question; it has no subject of its own. */
function isAside({ chosen }: Scored): boolean {
  return chosen.every(({ evidence }) => evidence.every(({ isSide }) => isSide));
}

function carry(text: string, earlier: readonly string[], scored: Scored, registry: Registry): RoutingDecision {
  const found = scored.chosen.length > 0 ? ` (${describeEvidence(scored.chosen, registry)})` : '';
  return {
    user_query: text,
    identified_domains: [...earlier],
    reasoning: `It continues the last question, which was about ${namesOf(earlier)}${found}.`,
    confidence: CARRIED_CONFIDENCE,
    scores: earlier.map((domain) => ({ domain, score: CARRIED_CONFIDENCE })),
    ...ANSWERED,
  };
}

function declineOrAsk(text: string, scored: Scored, registry: Registry): RoutingDecision {
  const isWeak = (scored.chosen[0]?.score ?? 0) >= LEAST_SCORE && !isElsewhere(text, registry);
  if (isWeak) {
    const evidence = describeEvidence(scored.chosen, registry);
    return empty(text, 'clarification_needed', `Only ${evidence}; the other words fit no domain.`);
  }
  if (readQuestionWords(text).length === 0 && text.length > 0 && leansOnEarlier(text)) {
    const reason = 'The question names no subject, and there is no earlier one to continue.';
    return empty(text, 'clarification_needed', reason);
  }
  return empty(text, 'out_of_scope', `Nothing in it matches ${namesOf(registry.domains.map(({ name }) => name))}.`);
}

function empty(text: string, kind: 'clarification_needed' | 'out_of_scope', reasoning: string): RoutingDecision {
  return {
    user_query: text,
    identified_domains: [],
    reasoning,
    confidence: kind === 'out_of_scope' ? 0.9 : 0.4,
    ...ANSWERED,
    [kind]: true,
  };
}

/** Grows with the words that point to a domain and with how much of the question is explained; 0.5 to 0.99. */
function scoreToConfidence(score: number, cover: number): number {
  return round(Math.min(0.99, 0.5 + 0.3 * (1 - Math.exp(-score)) + 0.2 * cover));
}

/**
 * The score of every domain that some word points to, best first. A domain that is asked has at least 0.5, any other one
 * less, so that a reader can compare them.
 */
function toDomainScores(asked: readonly string[], scored: Scored, registry: Registry): Scores {
  const { chosen, ranked, cover } = scored;
  const scores = ranked.flatMap((byAllWords): Scores => {
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
