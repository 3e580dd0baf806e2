import type { Runtime } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';

export interface LookOptions {
  runtime: Runtime;
  user: User;
  agent: Agent;
  signal: AbortSignal;
}

/** Tools of an agent that are not offered, and why, in words for its author. Starts the agent's servers. */
export async function findServerProblems({ runtime, user, agent, signal }: LookOptions): Promise<string[]> {
  if (!hasServers(agent)) return [];
  const { refusals } = await runtime.listTools(user, agent.name, { signal });
  const bySource = Map.groupBy(refusals, ({ source, reason }) => JSON.stringify([source, reason]));
  const notOffered = [...bySource.values()].flatMap((same) => {
    const [first] = same;
    const names = same.map(({ tool }) => tool).join(', ');
    return first
      ? [`tools.${first.source}: ${names} ${same.length > 1 ? 'are' : 'is'} not offered: ${first.reason}`]
      : [];
  });
  return [...notOffered, ...remarks(runtime, agent)];
}

/** Whether any of its tools come from a program or an address, which only an attempt can tell about. */
export function hasServers(agent: Agent): boolean {
  return agent.tools.some(isRemote);
}

function isRemote(tool: Agent['tools'][number]): boolean {
  return tool.type === 'mcp' && tool.transport !== 'builtin';
}

/** Remarks of servers that run, such as a tool whose definition cannot be used. */
function remarks(runtime: Runtime, agent: Agent): string[] {
  const names = new Set(agent.tools.filter(isRemote).map((tool) => tool.name));
  return runtime
    .describe(agent.name)
    .sources.filter(({ name, state }) => names.has(name) && state === 'ready')
    .flatMap(({ name, detail }) => (detail === undefined ? [] : [`tools.${name}: ${detail}`]));
}
