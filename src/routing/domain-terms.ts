import type { Domain } from '../schema/domain.ts';
import { readQuestionWords } from './question-words.ts';

/** One word that speaks for a domain, and the line of the registry that it comes from. */
export interface Term {
  word: string;
  weight: number;
  label: string;
}

export interface DomainTerms {
  domain: Domain;
  terms: ReadonlyMap<string, Term>;
}

/** Its name and what it can do say what a domain is asked for; its description says less. */
const WEIGHTS = { capability: 1, name: 1.1, description: 0.5 } as const;

/** What the registry says about its domains, as words with weights. */
export function readTerms(domains: readonly Domain[]): DomainTerms[] {
  const names = domains.flatMap((domain) => [...rootsOf(domain.name.replaceAll('_', ' '))]);
  const isShared = (root: string) => names.indexOf(root) !== names.lastIndexOf(root);
  return domains.map((domain) => readDomainTerms(domain, isShared));
}

function rootsOf(text: string): Set<string> {
  return new Set(readQuestionWords(text).map(({ root }) => root));
}

/** A word that stands in the names of several domains names none of them. */
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
