import type { Domain } from '../schema/domain.ts';
import type { Message } from '../schema/message.ts';
import { type OfferedTool, offerTools } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';
import { type GenieOptions, joinGenieTools } from './genie.ts';
import type { Registry } from './registry.ts';

const GENIE = /^query_space_/;

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

/**
 * The same tools for one conversation: each space goes on with its own conversation, whose id is ours to fill in.
 * What the model puts there is replaced, and audited like every bound argument.
 */
export function withSpaceConversations(
  tools: ReadonlyMap<string, OfferedTool>,
  history: readonly Message[],
): ReadonlyMap<string, OfferedTool> {
  const ids = readConversationIds(history);
  const changed = new Map(tools);
  for (const [name, { tool }] of tools) {
    const properties = tool.inputSchema.properties;
    const takesId = typeof properties === 'object' && properties !== null && 'conversation_id' in properties;
    if (!GENIE.test(tool.serverName ?? name) || !tool.domain || !takesId) continue;
    const value = ids.get(name);
    const bound = { ...tool, bind: { ...tool.bind, ...(value !== undefined && { conversation_id: value }) } };
    const offered = offerTools([value === undefined ? withoutId(tool) : bound], {
      mayLackBound: () => true,
    }).offered.get(name);
    if (offered) changed.set(name, offered);
  }
  return changed;
}

/** Where no conversation is known yet, none is sent, whatever the model made up. */
function withoutId(tool: Tool): Tool {
  const { conversation_id: _id, ...properties } = tool.inputSchema.properties as Record<string, never>; // checked above
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties },
    run: ({ conversation_id: _made, ...args }, context) => tool.run(args, context),
  };
}

/** Tool → the space's conversation that its newest answer named. */
function readConversationIds(history: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const message of history) {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) names.set(call.id, call.name);
    if (message.role !== 'tool') continue;
    const name = names.get(message.tool_call_id);
    const id = /^\{"conversation_id":"([^"\\]{1,200})"/.exec(message.content)?.[1];
    if (name !== undefined && id !== undefined) ids.set(name, id);
  }
  return ids;
}
