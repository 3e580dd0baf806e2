import type { LateTools } from '../../agent/late-tools.ts';
import type { TurnPlugin } from '../../agent/plugin.ts';
import { createZones } from '../../agent/time-zone.ts';
import type { Model } from '../../models/model.ts';
import type { DomainState } from '../../routing/ask/domain-tools.ts';
import type { Agent } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import type { Offer } from '../../tools/offer.ts';
import type { Capability, ListOptions, OpenedSource, Tool, ToolSource } from '../../tools/tool.ts';
import type { Validator } from '../../tools/validate.ts';
import { DOMAINS, type Domains } from './domains.ts';
import { createOfferCache } from './offer-cache.ts';

/** An agent with everything that its turns need. */
export interface ReadyAgent {
  agent: Agent;
  model: Model;
  sources: readonly ToolSource[];
  plugins: readonly TurnPlugin[];
  /** A capability of the first source or plugin that has it. */
  find<T>(capability: Capability<T>): T | undefined;
  validator(): Promise<Validator>;
  zones: ReturnType<typeof createZones>;
  /**
   * The tools that this user's turn may call now, and notes about missing ones. A caller's tool never replaces one of
   * ours.
   */
  offer(user: User, options: OfferOptions): Promise<TurnOffer>;
  /** The enabled domains, each with the reason if this user cannot query it now. */
  checkDomains(user: User, options: { signal: AbortSignal }): Promise<DomainState[]>;
  close(): Promise<void>;
}

/**
 * Maximum wait of the first model call for servers that are still starting. A turn that needs their tools waits by a
 * tool call instead.
 */
export const FIRST_WAIT_MS = 2_000;
/** Longer than any server may take to start. */
const LATE_WAIT_MS = 45_000;

interface TurnOffer extends Offer {
  notes: string[];
  /** Tools of servers that are still starting, for a turn that does not wait for them. */
  late?: LateTools;
}

interface OfferOptions {
  signal: AbortSignal;
  /** How long to wait for servers that start for the first time; by default their own limit. */
  waitMs?: number;
  clientTools?: readonly Tool[];
}

export interface ReadyAgentOptions {
  agent: Agent;
  model: Model;
  sources: readonly ToolSource[];
  plugins: readonly TurnPlugin[];
  opened: readonly Pick<OpenedSource, 'capabilities'>[];
}

export function createReadyAgent({ opened, ...options }: ReadyAgentOptions): ReadyAgent {
  const { agent, sources } = options;
  const find = <T>(capability: Capability<T>) =>
    // The map has a value of the key's type.
    opened.find(({ capabilities }) => capabilities?.has(capability))?.capabilities?.get(capability) as T | undefined;
  const domains = find(DOMAINS);
  const offers = createOfferCache({
    toOwn: (tools) => domains?.toTools(tools) ?? tools,
    mayLackBound: (tool) => isUnbound(agent, tool),
  });
  let validator: Promise<Validator> | undefined;
  const ready: ReadyAgent = {
    ...options,
    zones: createZones(),
    find,
    validator() {
      validator ??= import('../../tools/validate.ts').then(({ createValidator }) => createValidator());
      return validator;
    },
    async offer(user, { signal, clientTools = [], waitMs }) {
      const first = await listTools(sources, user, { signal, ...(waitMs !== undefined && { waitMs }) });
      // Routing selects among the domains' tools before the model could wait for them.
      const isNeeded = findStarting(sources, user).length > 0 && hasMissing(domains, first);
      const tools = isNeeded ? await listTools(sources, user, { signal }) : first;
      const notes = [...sources.flatMap((source) => missingNote(source, user)), ...(domains?.notes(tools) ?? [])];
      const names = waitMs === undefined ? [] : findStarting(sources, user);
      const wait: LateTools['wait'] = (stop) => ready.offer(user, { signal: stop, clientTools, waitMs: LATE_WAIT_MS });
      return { ...offers.find(tools, clientTools), notes, ...(names.length > 0 && { late: { names, wait } }) };
    },
    async checkDomains(user, { signal }) {
      if (!domains) return [];
      const tools = await listTools(sources, user, { signal });
      const notes = sources.flatMap((source) => missingNote(source, user));
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

/** The note to model and user about a source that is not usable now. */
function missingNote(source: ToolSource, user: User): string[] {
  const obstacle = source.findObstacle?.(user);
  if (obstacle !== undefined) return [`${obstacle}.`];
  const { state, detail, tools } = source.status();
  if (state === 'starting' && tools.length === 0)
    return [`The tools of ${source.name} are not available yet: it is still starting.`];
  return state === 'unavailable'
    ? [`The tools of ${source.name} are not available now${detail ? `: ${detail}` : '.'}`]
    : [];
}

function isUnbound(agent: Agent, tool: Tool): boolean {
  const entry = agent.tools.find((config) => config.name === tool.source);
  return entry?.unbound?.includes(tool.serverName ?? tool.name) ?? false;
}
