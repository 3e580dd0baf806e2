import { isSameBeginning } from '../../language/words.ts';
import type { DomainTerms, Term } from './domain-terms.ts';
import { isSideWord, type QuestionWord } from './question-words.ts';

/** How strongly a word of the question indicates each domain. */
export interface WordMatch {
  word: QuestionWord;
  /** In the order of the domains. */
  strengths: number[];
  terms: (Term | undefined)[];
  /** True if the domain has exactly this word, not just a similar one. */
  isExact: boolean[];
  /** True for a word that fits any domain, or that several domains have: it chooses none of them. */
  isSide: boolean;
}

const PREFIX_STRENGTH = 0.9;
/** "Supported" matches the support team's word only by chance. */
const OTHER_FORM_STRENGTH = 0.8;
const SIDE_SHARE = 0.5;
/** If a domain has the exact word, another domain's similar word counts only this much. */
const BESIDE_EXACT = 0.4;

/**
 * Looks up every word in every domain. A word that all domains share counts little; a word of a single domain counts
 * fully.
 */
export function matchWords(words: readonly QuestionWord[], domains: readonly DomainTerms[]): WordMatch[] {
  const matches = words.map((word) => {
    const found = domains.map(({ terms }) => bestTerm(word, terms));
    const strengths = shareOut(found);
    const isSide = isSideWord(word) || found.filter(isExact).length > 1;
    return { word, strengths, terms: found.map((match) => match?.term), isExact: found.map(isExact), isSide };
  });
  return quietSideWords(matches);
}

/** Measures and dimensions fit every subject. Beside a subject they count half. */
function quietSideWords(matches: readonly WordMatch[]): WordMatch[] {
  const hasSubject = matches.some((match) => !match.isSide && match.strengths.some((strength) => strength > 0));
  if (!hasSubject) return [...matches];
  return matches.map((match) =>
    match.isSide ? { ...match, strengths: match.strengths.map((strength) => strength * SIDE_SHARE) } : match,
  );
}

/** Divides the weight of a shared word among its domains. A similar word takes nothing from an exact one. */
function shareOut(found: readonly (TermMatch | undefined)[]): number[] {
  const weightOf = (match: TermMatch | undefined) => (match ? match.term.weight * match.strength : 0);
  const exact = found.filter(isExact).reduce((sum, match) => sum + weightOf(match), 0);
  const all = found.reduce((sum, match) => sum + weightOf(match), 0);
  return found.map((match) => {
    if (!match) return 0;
    if (isExact(match)) return weightOf(match) ** 2 / exact;
    return (weightOf(match) ** 2 / all) * (exact > 0 ? BESIDE_EXACT : 1);
  });
}

function isExact(match: TermMatch | undefined): boolean {
  return match?.isExact ?? false;
}

interface TermMatch {
  term: Term;
  strength: number;
  isExact: boolean;
}

function isParticiple(word: string): boolean {
  return /ed$/i.test(word);
}

function bestTerm(word: QuestionWord, terms: ReadonlyMap<string, Term>): TermMatch | undefined {
  const exact = terms.get(word.root);
  if (exact)
    return {
      term: exact,
      strength: isParticiple(word.text) && !isParticiple(exact.word) ? OTHER_FORM_STRENGTH : 1,
      isExact: true,
    };
  const [best] = [...terms]
    .filter(([root]) => isSameBeginning(word.root, root))
    .sort(([, a], [, b]) => b.weight - a.weight);
  return best && { term: best[1], strength: PREFIX_STRENGTH, isExact: false };
}
