import type { TurnPlugin } from '../../agent/plugin.ts';
import type { Planner } from '../../builtin/answer.ts';
import type { Clock } from '../../clock.ts';
import { entriesThatBring } from '../../kinds/tool-kinds.ts';
import { loadWordVectors, type WordVectors } from '../../language/word-vectors.ts';
import type { DomainState } from '../../routing/ask/domain-tools.ts';
import type { Composer } from '../../routing/composer.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ComposedSpace } from '../../space/space-composer.ts';
import type { Tool } from '../../tools/tool.ts';

export type { DomainState };

/** Parts that only an agent with data domains has. */
export interface Domains {
  plugins: TurnPlugin[];
  /** Adds the domain to each tool of a turn; a query tool and its poll tool become one tool. */
  toTools(tools: readonly Tool[]): Tool[];
  /** Notes for the model about domains whose tools are missing. */
  notes(tools: readonly Tool[]): string[];
  /** The enabled domains, each with the reason if it cannot be queried now. */
  check(tools: readonly Tool[]): DomainState[];
  /** The planner by which the built-in model answers questions about domains. */
  plan: Planner;
}

export interface DomainsOptions {
  agent: Agent;
  clock: Clock;
  isBuiltin: boolean;
  /** Reads questions over the agent's local spaces. */
  composer?: Composer | undefined;
}

/** Word vectors shared by the built-in model and spaces; loaded on first use. */
export function shareVectors(): () => WordVectors {
  let vectors: WordVectors | undefined;
  return () => {
    vectors ??= loadWordVectors();
    return vectors;
  };
}

/** Returns undefined for an agent without domains, so that none of this code is loaded for it. */
export async function openDomains({ agent, clock, isBuiltin, composer }: DomainsOptions): Promise<Domains | undefined> {
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
  return {
    plugins: [createRoutingPlugin({ registry, decidesFirst: isBuiltin, composer })],
    toTools: (tools) => toDomainTools(tools, { registry, disabled, clock }),
    notes: (tools) => describeMissing(tools, registry),
    check: (tools) => checkDomains(tools, registry),
    plan: (turns, request) => planDataTurn(turns, request, registry),
  };
}

/** Reads questions over the local spaces of an agent; its code is loaded only if there are any. */
export async function composerOf(
  agent: Agent,
  spaces: readonly ComposedSpace[],
  vectors: () => WordVectors,
): Promise<Composer | undefined> {
  const hasSpace = entriesThatBring(agent, 'data').length > 0;
  if (!hasSpace || agent.domains.length === 0) return undefined;
  const { createComposer } = await import('../../space/space-composer.ts');
  return createComposer(() => spaces, vectors);
}
