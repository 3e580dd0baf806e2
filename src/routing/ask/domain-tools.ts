import type { Domain } from '../../schema/domain.ts';
import type { Tool } from '../../tools/tool.ts';
import { joinDomainTools } from '../adapters/adapters.ts';
import type { AskOptions } from '../adapters/domain-adapter.ts';
import type { Registry } from '../decide/registry.ts';

export interface DomainToolOptions extends AskOptions {
  registry: Registry;
  /** Tools of disabled domains. They are not offered, unless another domain uses them. */
  disabled: ReadonlySet<string>;
}

/** A domain, and the reason if it cannot be asked now. */
export interface DomainState {
  domain: Domain;
  reason?: string;
}

/** Checks that every tool of each domain exists. A domain that misses a tool cannot be asked. */
export function checkDomains(tools: readonly Tool[], registry: Registry): DomainState[] {
  return registry.domains.map((domain) => {
    const missing = missingTools(domain, tools);
    const verb = missing.length === 1 ? 'is' : 'are';
    return { domain, ...(missing.length > 0 && { reason: `${missing.join(' and ')} ${verb} missing.` }) };
  });
}

/** Returns a sentence for each domain that cannot be asked. */
export function describeMissing(tools: readonly Tool[], registry: Registry): string[] {
  return checkDomains(tools, registry).flatMap(({ domain, reason }) =>
    reason === undefined ? [] : [`${domain.display_name} cannot be asked: ${reason}`],
  );
}

function missingTools(domain: Domain, tools: readonly Tool[]): string[] {
  return domain.mcp_tools.filter((name) => !tools.some((tool) => tool.name === name));
}

/**
 * Prepares the tools of a turn: adds each tool's domain, joins query and poll tools, and leaves out the tools of
 * disabled or incomplete domains.
 */
export function toDomainTools(tools: readonly Tool[], { registry, disabled, ...options }: DomainToolOptions): Tool[] {
  const usable = registry.domains.filter((domain) => missingTools(domain, tools).length === 0);
  const isOffered = ({ name }: Tool) => {
    const isOfDomain = disabled.has(name) || registry.ofTool(name) !== undefined;
    const owner = registry.ofTool(name);
    return !isOfDomain || usable.some((domain) => domain === owner || domain.mcp_tools.includes(name));
  };
  return joinDomainTools(tools.filter(isOffered), options).map((tool) => {
    const domain = registry.ofTool(tool.name)?.name;
    return domain ? { ...tool, domain } : tool;
  });
}
