import { isSameBeginning } from '../../language/words.ts';
import type { Domain } from '../../schema/domain.ts';
import { isSideWord, type QuestionWord, readQuestionWords } from './question-words.ts';

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

/** "Supported" matches the support team's word, and "united" the word units, mostly by chance. */
const OTHER_FORM_STRENGTH = 0.8;
const SIDE_SHARE = 0.5;

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

/** Divides the weight of a shared word among its domains. Where a domain has the exact word, a longer one counts nothing. */
function shareOut(found: readonly (TermMatch | undefined)[]): number[] {
  const hasExact = found.some(isExact);
  const weights = found.map((match) => (match && match.isExact === hasExact ? match.term.weight * match.strength : 0));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (all === 0 ? 0 : weight ** 2 / all));
}

interface TermMatch {
  term: Term;
  strength: number;
  isExact: boolean;
}

function isExact(match: TermMatch | undefined): boolean {
  return match?.isExact ?? false;
}

function bestTerm({ text, root }: QuestionWord, terms: ReadonlyMap<string, Term>): TermMatch | undefined {
  const exact = terms.get(root);
  const isOther = /ed$/i.test(text) && !exact?.word.endsWith('ed');
  if (exact) return { term: exact, strength: isOther ? OTHER_FORM_STRENGTH : 1, isExact: true };
  const longer = [...terms].filter(([other]) => isSameBeginning(root, other)).map(([, term]) => term);
  const [best] = longer.sort((a, b) => b.weight - a.weight);
  return best && { term: best, strength: OTHER_FORM_STRENGTH, isExact: false };
}

/** A word that indicates a domain, and the registry line that it comes from. */
export interface Term {
  word: string;
  weight: number;
  label: string;
}

export interface DomainTerms {
  domain: Domain;
  terms: ReadonlyMap<string, Term>;
}

/** Names and capabilities indicate a domain most clearly, descriptions less so. */
const WEIGHTS = { capability: 1, name: 1.1, description: 0.5 } as const;

/** Reads the registry's texts about its domains as weighted words. */
export function readTerms(domains: readonly Domain[]): DomainTerms[] {
  const names = domains.flatMap((domain) => [...rootsOf(domain.name.replaceAll('_', ' '))]);
  const isShared = (root: string) => names.indexOf(root) !== names.lastIndexOf(root);
  return domains.map((domain) => readDomainTerms(domain, isShared));
}

function rootsOf(text: string): Set<string> {
  return new Set(readQuestionWords(text).map(({ root }) => root));
}

/** A word that occurs in the names of several domains identifies none of them. */
function readDomainTerms(domain: Domain, isShared: (root: string) => boolean): DomainTerms {
  const terms = new Map<string, Term>();
  const add = (text: string, weight: number, label: string) => {
    for (const { text: word, root } of readQuestionWords(text)) {
      const counted = weight === WEIGHTS.name && isShared(root) ? WEIGHTS.description : weight;
      if ((terms.get(root)?.weight ?? 0) < counted)
        terms.set(root, { word: word.toLowerCase(), weight: counted, label });
    }
  };
  for (const capability of domain.capabilities) add(capability, WEIGHTS.capability, capability);
  add(domain.name.replaceAll('_', ' '), WEIGHTS.name, domain.display_name);
  add(domain.display_name, WEIGHTS.name, domain.display_name);
  add(domain.description, WEIGHTS.description, domain.description);
  return { domain, terms };
}
