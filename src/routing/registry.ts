import type { Domain } from '../schema/domain.ts';
import { type DomainTerms, readTerms } from './domain-terms.ts';
import { readQuestionWords } from './question-words.ts';

/** The domains that questions may be routed to: those of agent.yaml that are enabled. */
export interface Registry {
  readonly domains: readonly Domain[];
  readonly terms: readonly DomainTerms[];
  find(name: string): Domain | undefined;
  /** The domain that a tool serves. */
  ofTool(tool: string): Domain | undefined;
}

/** A prefix of the entry may come before it. */
const POLL = /(?:^|[_-])poll_response_/;

/** Unique names and known relations were checked when agent.yaml was read. */
export function createRegistry(all: readonly Domain[]): Registry {
  const domains = all.filter((domain) => domain.enabled);
  return {
    domains,
    terms: readTerms(domains),
    find: (name) => domains.find((domain) => domain.name === name),
    ofTool: (tool) => domains.find((domain) => domain.mcp_tools.includes(tool)),
  };
}

/** The tools that a domain is asked through; polling is part of asking. */
function askTools(domain: Domain): string[] {
  return domain.mcp_tools.filter((name) => !POLL.test(name));
}

/** The domain's tool among those that are there; nothing when it cannot be asked now. */
export function askTool(domain: Domain, offered: (name: string) => boolean): string | undefined {
  return askTools(domain).find(offered);
}

/** Whether all of these words are among those that speak for one of the domains. */
export function areWordsOf(names: readonly string[], words: string, { terms }: Registry): boolean {
  const roots = readQuestionWords(words).map(({ root }) => root);
  const own = terms.filter(({ domain }) => names.includes(domain.name));
  return roots.length > 0 && own.some((one) => roots.every((root) => one.terms.has(root)));
}
