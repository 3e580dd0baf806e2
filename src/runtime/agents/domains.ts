import { entriesThatBring } from '../../kinds/tool-kinds.ts';
import { loadWordVectors, type WordVectors } from '../../language/word-vectors.ts';
import type { DomainState } from '../../routing/ask/domain-tools.ts';
import type { Composer } from '../../routing/composer.ts';
import type { Capability, Tool } from '../../tools/tool.ts';
import type { PluginOptions, PluginParts } from './plugin-parts.ts';

export type { DomainState };

/** Parts that only an agent with data domains has. */
export interface Domains {
  /** Adds the domain to each tool of a turn; a query tool and its poll tool become one tool. */
  toTools(tools: readonly Tool[]): Tool[];
  /** Notes for the model about domains whose tools are missing. */
  notes(tools: readonly Tool[]): string[];
  /** The enabled domains, each with the reason if it cannot be queried now. */
  check(tools: readonly Tool[]): DomainState[];
}

/** Word vectors shared by the built-in model and spaces; loaded on first use. */
export function shareVectors(): () => WordVectors {
  let vectors: WordVectors | undefined;
  return () => {
    vectors ??= loadWordVectors();
    return vectors;
  };
}

export const DOMAINS: Capability<Domains> = { name: 'domains' };

/** None of the code is loaded for an agent without domains. */
export async function openDomains(options: PluginOptions): Promise<PluginParts | undefined> {
  const { agent, clock, isBuiltin } = options;
  if (agent.domains.length === 0) return undefined;
  const [
    { createRegistry },
    { checkDomains, describeMissing, toDomainTools },
    { planDataTurn },
    { createRoutingPlugin },
  ] = await Promise.all([
    import('../../routing/decide/registry.ts'),
    import('../../routing/ask/domain-tools.ts'),
    import('../../routing/ask/plan-data-turn.ts'),
    import('../../routing/routing-plugin.ts'),
  ]);
  const registry = createRegistry(agent.domains);
  const off = agent.domains.filter((domain) => !domain.enabled);
  const disabled = new Set(
    off.flatMap(({ mcp_tools: tools }) => [
      ...tools,
      ...tools.map((name) => name.replace('query_space_', 'run_query_')),
    ]),
  );
  const domains: Domains = {
    toTools: (tools) => toDomainTools(tools, { registry, disabled, clock }),
    notes: (tools) => describeMissing(tools, registry),
    check: (tools) => checkDomains(tools, registry),
  };
  return {
    plugin: createRoutingPlugin({ registry, decidesFirst: isBuiltin, composer: await composerOf(options) }),
    plan: (turns, request) => planDataTurn(turns, request, registry),
    capabilities: new Map([[DOMAINS, domains]]),
  };
}

/** Reads questions over the local spaces of an agent; its code is loaded only if there are any. */
async function composerOf({ agent, spaces, vectors }: PluginOptions): Promise<Composer | undefined> {
  if (entriesThatBring(agent, 'data').length === 0) return undefined;
  const { createComposer } = await import('../../space/space-composer.ts');
  return createComposer(() => spaces, vectors);
}
