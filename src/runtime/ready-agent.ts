import type { LateTools } from '../agent/late-tools.ts';
import type { TurnPlugin } from '../agent/plugin.ts';
import { createZones } from '../agent/time-zone.ts';
import type { Model } from '../models/model.ts';
import type { DomainState } from '../routing/domain-tools.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import type { Offer } from '../tools/offer.ts';
import type { ListOptions, Tool, ToolSource } from '../tools/tool.ts';
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
  offer(user: User, options: OfferOptions): Promise<TurnOffer>;
  /** The enabled domains, and why one cannot be asked by this user now. */
  checkDomains(user: User, options: { signal: AbortSignal }): Promise<DomainState[]>;
  close(): Promise<void>;
}

/** How long the first answer waits for a server that is still starting; a turn that needs its tools waits by a call. */
export const FIRST_WAIT_MS = 2_000;
/** More than a server has to start. */
const LATE_WAIT_MS = 45_000;

interface TurnOffer extends Offer {
  notes: string[];
  /** Tools of servers that are still starting, for a turn that does not wait for them. */
  late?: LateTools;
}

interface OfferOptions {
  signal: AbortSignal;
  /** How long to wait for servers that start for the first time; their own limit unless given. */
  waitMs?: number;
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
  const ready: ReadyAgent = {
    ...options,
    plugins: domains?.plugins ?? [],
    zones: createZones(),
    validator() {
      validator ??= import('../tools/validate.ts').then(({ createValidator }) => createValidator());
      return validator;
    },
    async offer(user, { signal, clientTools = [], waitMs }) {
      const first = await listTools(sources, user, { signal, ...(waitMs !== undefined && { waitMs }) });
      // Routing decides by the domains' tools before a model could ask for them.
      const isNeeded = findStarting(sources, user).length > 0 && hasMissing(domains, first);
      const tools = isNeeded ? await listTools(sources, user, { signal }) : first;
      const notes = [...sources.flatMap(missingNote), ...(domains?.notes(tools) ?? [])];
      const names = waitMs === undefined ? [] : findStarting(sources, user);
      const wait: LateTools['wait'] = (stop) => ready.offer(user, { signal: stop, clientTools, waitMs: LATE_WAIT_MS });
      return { ...offers.find(tools, clientTools), notes, ...(names.length > 0 && { late: { names, wait } }) };
    },
    async checkDomains(user, { signal }) {
      if (!domains) return [];
      const tools = await listTools(sources, user, { signal });
      const notes = sources.flatMap(missingNote);
      return domains
        .check(tools)
        .map((state) => (state.reason ? { ...state, reason: [state.reason, ...notes].join(' ') } : state));
    },
    async close() {
      await Promise.allSettled(sources.map((source) => source.close()));
    },
  };
  return ready;
}

async function listTools(sources: readonly ToolSource[], user: User, options: ListOptions): Promise<Tool[]> {
  return (await Promise.all(sources.map((source) => source.tools(user, options)))).flat();
}

function findStarting(sources: readonly ToolSource[], user: User): string[] {
  return sources.filter((source) => source.isStarting?.(user)).map((source) => source.name);
}

function hasMissing(domains: Domains | undefined, tools: readonly Tool[]): boolean {
  return domains?.check(tools).some(({ reason }) => reason !== undefined) ?? false;
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
