import type { Domain } from '../schema/domain.ts';
import type { Tool } from '../tools/tool.ts';
import { type GenieOptions, joinGenieTools } from './genie.ts';
import type { Registry } from './registry.ts';

export interface DomainToolOptions extends GenieOptions {
  registry: Registry;
  /** Tools of domains that are disabled: they are not offered, unless another domain uses them. */
  disabled: ReadonlySet<string>;
}

/** A domain, and why it cannot be asked now. */
export interface DomainState {
  domain: Domain;
  reason?: string;
}

/** Each domain with what is missing: one whose tools are not all there cannot be asked. */
export function checkDomains(tools: readonly Tool[], registry: Registry): DomainState[] {
  return registry.domains.map((domain) => {
    const missing = missingTools(domain, tools);
    return { domain, ...(missing.length > 0 && { reason: `${missing.join(' and ')} is not there.` }) };
  });
}

/** What is said of the domains that cannot be asked. */
export function describeMissing(tools: readonly Tool[], registry: Registry): string[] {
  return checkDomains(tools, registry).flatMap(({ domain, reason }) =>
    reason === undefined ? [] : [`${domain.display_name} cannot be asked: ${reason}`],
  );
}

function missingTools(domain: Domain, tools: readonly Tool[]): string[] {
  return domain.mcp_tools.filter((name) => !tools.some((tool) => tool.name === name));
}

/**
 * The tools of a turn with their domains: query and poll as one, those of disabled domains and of domains that miss
 * a tool left out.
 */
export function toDomainTools(tools: readonly Tool[], { registry, disabled, ...options }: DomainToolOptions): Tool[] {
  const usable = registry.domains.filter((domain) => missingTools(domain, tools).length === 0);
  const isOffered = ({ name }: Tool) => {
    const isOfDomain = disabled.has(name) || registry.ofTool(name) !== undefined;
    return !isOfDomain || usable.some((domain) => domain.mcp_tools.includes(name));
  };
  return joinGenieTools(tools.filter(isOffered), options).map((tool) => {
    const domain = registry.ofTool(tool.name)?.name;
    return domain ? { ...tool, domain } : tool;
  });
}
