import type { WordVectors } from '../builtin/word-vectors.ts';
import { isSameBeginning } from '../builtin/words.ts';
import type { DomainTerms, Term } from './domain-terms.ts';
import { isSideWord, type QuestionWord } from './question-words.ts';

/** How much one word of a question speaks for each domain. */
export interface WordMatch {
  word: QuestionWord;
  /** In the order of the domains. */
  strengths: number[];
  terms: (Term | undefined)[];
  /** Whether the domain has the very word, not only one like it. */
  isExact: boolean[];
}

const PREFIX_STRENGTH = 0.9;
/** "Supported" is the support team's word only by chance. */
const OTHER_FORM_STRENGTH = 0.8;
/** Likeness of vectors below this is chance; above it counts for part of a match. */
const LEAST_ALIKE = 0.5;
const ALIKE_STRENGTH = 0.8;
const SIDE_SHARE = 0.5;
/** Where a domain has the very word, another one that has only something like it counts for so much. */
const BESIDE_EXACT = 0.4;

/** Looks every word up in every domain. What all domains share says little, what only one has says all. */
export function matchWords(
  words: readonly QuestionWord[],
  domains: readonly DomainTerms[],
  vectors: WordVectors,
): WordMatch[] {
  const matches = words.map((word) => {
    const found = domains.map(({ terms }) => bestTerm(word, terms, vectors));
    const strengths = shareOut(found);
    return { word, strengths, terms: found.map((match) => match?.term), isExact: found.map(isExact) };
  });
  return quietSideWords(matches);
}

/** What is measured and what it is broken down by belong to every subject; beside a subject they say half as much. */
function quietSideWords(matches: readonly WordMatch[]): WordMatch[] {
  const hasSubject = matches.some(
    (match) => !isSideWord(match.word) && match.strengths.some((strength) => strength > 0),
  );
  if (!hasSubject) return [...matches];
  return matches.map((match) =>
    isSideWord(match.word) ? { ...match, strengths: match.strengths.map((strength) => strength * SIDE_SHARE) } : match,
  );
}

/** A word that several domains have is shared out; what is only like it takes nothing from the very word. */
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

function bestTerm(word: QuestionWord, terms: ReadonlyMap<string, Term>, vectors: WordVectors): TermMatch | undefined {
  const exact = terms.get(word.root);
  if (exact)
    return {
      term: exact,
      strength: isParticiple(word.text) && !isParticiple(exact.word) ? OTHER_FORM_STRENGTH : 1,
      isExact: true,
    };
  let best: TermMatch | undefined;
  for (const [root, term] of terms) {
    const strength = isSameBeginning(word.root, root) ? PREFIX_STRENGTH : likeness(word, term, vectors);
    if (strength > 0 && strength * term.weight > (best ? best.strength * best.term.weight : 0))
      best = { term, strength, isExact: false };
  }
  return best;
}

function likeness(word: QuestionWord, term: Term, vectors: WordVectors): number {
  const alike = vectors.similarity(word.text.toLowerCase(), term.word);
  return alike < LEAST_ALIKE ? 0 : alike * ALIKE_STRENGTH;
}
