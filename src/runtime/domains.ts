import type { TurnPlugin } from '../agent/plugin.ts';
import type { Planner } from '../builtin/answer.ts';
import { loadWordVectors, type WordVectors } from '../builtin/word-vectors.ts';
import type { Clock } from '../clock.ts';
import type { DomainState } from '../routing/domain-tools.ts';
import type { Agent } from '../schema/agent.ts';
import type { Tool } from '../tools/tool.ts';

export type { DomainState };

/** What an agent with data domains has beside the others. */
export interface Domains {
  plugins: TurnPlugin[];
  /** The tools of a turn with their domains, query and poll as one. */
  toTools(tools: readonly Tool[]): Tool[];
  /** What is said of domains whose tools are not there. */
  notes(tools: readonly Tool[]): string[];
  /** The enabled domains, and why one cannot be asked. */
  check(tools: readonly Tool[]): DomainState[];
  /** How the built-in model answers questions over domains. */
  plan: Planner;
}

export interface DomainsOptions {
  agent: Agent;
  clock: Clock;
  vectors: () => WordVectors;
  isBuiltin: boolean;
}

/** The word vectors that the built-in model, routing and spaces compare by: loaded once, when first asked for. */
export function shareVectors(): () => WordVectors {
  let vectors: WordVectors | undefined;
  return () => {
    vectors ??= loadWordVectors();
    return vectors;
  };
}

/** Undefined for an agent without domains, for which nothing of this is loaded. */
export async function openDomains({ agent, clock, vectors, isBuiltin }: DomainsOptions): Promise<Domains | undefined> {
  if (agent.domains.length === 0) return undefined;
  const [
    { createRegistry },
    { checkDomains, describeMissing, toDomainTools },
    { planDataTurn },
    { createRoutingPlugin },
  ] = await Promise.all([
    import('../routing/registry.ts'),
    import('../routing/domain-tools.ts'),
    import('../routing/plan-data-turn.ts'),
    import('../routing/routing-plugin.ts'),
  ]);
  const registry = createRegistry(agent.domains);
  const off = agent.domains.filter((domain) => !domain.enabled);
  const disabled = new Set(off.flatMap((domain) => domain.mcp_tools));
  return {
    plugins: [createRoutingPlugin({ registry, vectors, decidesFirst: isBuiltin })],
    toTools: (tools) => toDomainTools(tools, { registry, disabled, clock }),
    notes: (tools) => describeMissing(tools, registry),
    check: (tools) => checkDomains(tools, registry),
    plan: (turns, request) => planDataTurn(turns, request, { registry, vectors }),
  };
}
