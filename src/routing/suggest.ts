import type { Domain } from '../schema/domain.ts';
import { readQuestionWords } from './question-words.ts';
import { askTool, type Registry } from './registry.ts';

export interface SuggestInput {
  question: string;
  /** The domains that answered. */
  used: readonly string[];
  registry: Registry;
  /** Tool → what it says about itself; a tool that is not here cannot be asked. */
  descriptions: ReadonlyMap<string, string>;
}

const MAX_SUGGESTIONS = 3;
const MAX_PER_DOMAIN = 2;

/** One to three next questions for the domains that those used are related to; none where nothing was answered. */
export function suggest({ question, used, registry, descriptions }: SuggestInput): string[] {
  const related = [...new Set(used.flatMap((name) => registry.find(name)?.related_domains ?? []))]
    .flatMap((name) => registry.find(name) ?? [])
    .filter((domain) => askTool(domain, (tool) => descriptions.has(tool)) !== undefined);
  const fresh = related.filter(({ name }) => !used.includes(name));
  const domains = fresh.length > 0 ? fresh : related;
  const lists = domains.map((domain) => questionsFor(domain, question, descriptions));
  const perDomain = domains.length === 1 ? MAX_PER_DOMAIN : 1;
  return lists.flatMap((list) => list.slice(0, perDomain)).slice(0, MAX_SUGGESTIONS);
}

/** Questions that the domain's tool knows, nearest to what was asked; without any, one of its capabilities. */
function questionsFor(domain: Domain, question: string, descriptions: ReadonlyMap<string, string>): string[] {
  const tool = askTool(domain, (name) => descriptions.has(name));
  const listed = (descriptions.get(tool ?? '') ?? '').split('\n').flatMap((line) => /^- (.+\?)$/.exec(line)?.[1] ?? []);
  const known = listed.filter((text) => !/\bN\b/.test(text) && text.toLowerCase() !== question.trim().toLowerCase());
  if (known.length === 0) return [capabilityOf(domain)];
  const asked = new Set(readQuestionWords(question).map(({ root }) => root));
  const overlap = (text: string) => readQuestionWords(text).filter(({ root }) => asked.has(root)).length;
  return known.toSorted((a, b) => overlap(b) - overlap(a));
}

function capabilityOf({ capabilities, description, display_name }: Domain): string {
  const subject = (capabilities[0] ?? description).replace(/[.?!]\s*$/, '');
  return `What does ${display_name} say about ${subject.charAt(0).toLowerCase()}${subject.slice(1)}?`;
}
