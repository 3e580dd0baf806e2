import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ReadyAgent } from './ready-agent.ts';

/** The agents that users can talk to, by name. Each agent can be replaced while turns run. */
export interface AgentSet {
  readonly agents: readonly Agent[];
  /** Throws `agent_not_found`. */
  find(name: string): ReadyAgent;
  /** The next turn uses the new agent; the old one is closed when the turns running now have ended. */
  replace(agent: Agent): Promise<void>;
  close(): Promise<void>;
}

export interface AgentSetOptions {
  agents: readonly Agent[];
  makeReady(agent: Agent): Promise<ReadyAgent>;
  /** Resolves when the turns that are running now have ended. */
  settled(): Promise<void>;
}

export async function openAgentSet({ agents, makeReady, settled }: AgentSetOptions): Promise<AgentSet> {
  const ready = new Map<string, ReadyAgent>();
  const closing = new Set<Promise<void>>();
  /** An agent with its members, which are found by their whole names and listed nowhere. */
  const open = async (agent: Agent): Promise<ReadyAgent[]> => {
    const members = Object.values(agent.members ?? {}).map(open);
    return [await makeReady(agent), ...(await Promise.all(members)).flat()];
  };
  const add = (opened: readonly ReadyAgent[]) => {
    for (const one of opened) ready.set(one.agent.name, one);
  };
  for (const agent of agents) add(await open(agent));
  const find = (name: string) => ready.get(name) ?? throwNoAgent(name, [...ready.keys()]);
  const closeLater = (old: ReadyAgent) => {
    const closed: Promise<void> = settled()
      .then(() => old.close())
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    get agents() {
      return [...ready.values()].map(({ agent }) => agent).filter(({ name }) => !name.includes('/'));
    },
    find,
    async replace(agent) {
      find(agent.name);
      const next = await open(agent);
      const old = [...ready.values()].filter(({ agent: { name } }) => `${name}/`.startsWith(`${agent.name}/`));
      for (const one of old) ready.delete(one.agent.name);
      add(next);
      for (const one of old) closeLater(one);
    },
    async close() {
      await Promise.all([...closing, ...[...ready.values()].map((agent) => agent.close())]);
    },
  };
}

export function checkAgents(agents: readonly Agent[]): void {
  const refuse = (detail: string) => new AppError('config_invalid', { detail });
  const names = Array.isArray(agents) ? agents.map((agent) => (agent?.server ? agent.name : undefined)) : [undefined];
  if (names.length === 0) throw refuse('No agent was given. Pass at least one.');
  if (names.includes(undefined)) throw refuse('agents: pass a list of what `await defineAgent({…})` returns.');
  const twin = names.find((name, index) => names.indexOf(name) < index);
  if (twin !== undefined) throw refuse(`Two agents are named ${twin}. Give each agent its own name.`);
}

function throwNoAgent(name: string, names: readonly string[]): never {
  const open = names.filter((one) => !one.includes('/')).join(', ');
  throw new AppError('agent_not_found', { detail: `There is no agent named ${name}. Available: ${open}.` });
}
