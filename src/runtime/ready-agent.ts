import type { TurnPlugin } from '../agent/plugin.ts';
import { createZones } from '../agent/time-zone.ts';
import type { Model } from '../models/model.ts';
import type { DomainState } from '../routing/domain-tools.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import type { Offer } from '../tools/offer.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import type { Validator } from '../tools/validate.ts';
import type { Domains } from './domains.ts';
import { createOfferBook } from './offer-book.ts';

/** An agent with everything that its turns need. */
export interface ReadyAgent {
  agent: Agent;
  model: Model;
  sources: readonly ToolSource[];
  plugins: readonly TurnPlugin[];
  validator(): Promise<Validator>;
  zones: ReturnType<typeof createZones>;
  /** What this user's turn may call now, and what is missing. A tool of the caller's never stands in for one of ours. */
  offer(user: User, options: OfferOptions): Promise<Offer & { notes: string[] }>;
  /** The enabled domains, and why one cannot be asked by this user now. */
  checkDomains(user: User, options: { signal: AbortSignal }): Promise<DomainState[]>;
  close(): Promise<void>;
}

interface OfferOptions {
  signal: AbortSignal;
  clientTools?: readonly Tool[];
}

export interface ReadyAgentOptions {
  agent: Agent;
  model: Model;
  sources: readonly ToolSource[];
  domains?: Domains | undefined;
}

export function createReadyAgent({ domains, ...options }: ReadyAgentOptions): ReadyAgent {
  const { agent, sources } = options;
  const offers = createOfferBook({
    toOwn: (tools) => domains?.toTools(tools) ?? tools,
    mayLackBound: (tool) => isUnbound(agent, tool),
  });
  let validator: Promise<Validator> | undefined;
  return {
    ...options,
    plugins: domains?.plugins ?? [],
    zones: createZones(),
    validator() {
      validator ??= import('../tools/validate.ts').then(({ createValidator }) => createValidator());
      return validator;
    },
    async offer(user, { signal, clientTools = [] }) {
      const tools = await Promise.all(sources.map((source) => source.tools(user, { signal })));
      const offer = offers.find(tools.flat(), clientTools);
      return { ...offer, notes: [...sources.flatMap(missingNote), ...(domains?.notes(tools.flat()) ?? [])] };
    },
    async checkDomains(user, { signal }) {
      if (!domains) return [];
      const tools = await Promise.all(sources.map((source) => source.tools(user, { signal })));
      const notes = sources.flatMap(missingNote);
      return domains
        .check(tools.flat())
        .map((state) => (state.reason ? { ...state, reason: [state.reason, ...notes].join(' ') } : state));
    },
    async close() {
      await Promise.allSettled(sources.map((source) => source.close()));
    },
  };
}

/** What the model and the user are told of a source that cannot be used now. */
function missingNote(source: ToolSource): string[] {
  const { state, detail, tools } = source.status();
  if (state === 'starting' && tools.length === 0)
    return [`The tools of ${source.name} are not there yet: it is still starting.`];
  return state === 'unavailable'
    ? [`The tools of ${source.name} cannot be used now${detail ? `: ${detail}` : '.'}`]
    : [];
}

function isUnbound(agent: Agent, tool: Tool): boolean {
  const entry = agent.tools.find((config) => config.name === tool.source);
  return entry?.type === 'mcp' && entry.unbound.includes(tool.serverName ?? tool.name);
}
