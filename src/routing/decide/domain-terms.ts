import type { Domain } from '../../schema/domain.ts';
import { readQuestionWords } from './question-words.ts';

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
