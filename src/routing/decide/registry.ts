import type { Domain } from '../../schema/domain.ts';
import { isHelperName } from '../adapters/adapters.ts';
import { type DomainTerms, readTerms } from './match-words.ts';
import { readQuestionWords } from './question-words.ts';

/** The domains that questions may be routed to: the enabled ones of agent.yaml. */
export interface Registry {
  readonly domains: readonly Domain[];
  readonly terms: readonly DomainTerms[];
  find(name: string): Domain | undefined;
  /** The domain that a tool serves. */
  ofTool(tool: string): Domain | undefined;
}

/** Reading agent.yaml already checked that names are unique and relations exist. */
export function createRegistry(all: readonly Domain[]): Registry {
  const domains = all.filter((domain) => domain.enabled);
  return {
    domains,
    terms: readTerms(domains),
    find: (name) => domains.find((domain) => domain.name === name),
    ofTool: (tool) => domains.find(({ mcp_tools: tools }) => tools.includes(tool) || tools.includes(askingName(tool))),
  };
}

/** A space's tool for query objects belongs to the domain of its tool for questions. */
function askingName(tool: string): string {
  return tool.replace(/(^|[_-])run_query_/, '$1query_space_');
}

/** The domain's tool for questions among the offered ones; undefined if the domain cannot be asked now. */
export function askTool(domain: Domain, offered: (name: string) => boolean): string | undefined {
  return domain.mcp_tools.find((name) => !isHelperName(name) && askingName(name) === name && offered(name));
}

/** True if all these words indicate the same domain of the list. */
export function areWordsOf(names: readonly string[], words: string, { terms }: Registry): boolean {
  const roots = readQuestionWords(words).map(({ root }) => root);
  const own = terms.filter(({ domain }) => names.includes(domain.name));
  return roots.length > 0 && own.some((one) => roots.every((root) => one.terms.has(root)));
}
