import { entriesThatBring, isRemote, kindOf } from '../kinds/tool-kinds.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import type { Refusal } from '../tools/offer.ts';

export interface LookOptions {
  runtime: Runtime;
  user: User;
  agent: Agent;
  signal: AbortSignal;
}

export interface ServerReport {
  /** Faults of the file: two entries with a tool of the same name. */
  clashes: string[];
  /** Tools refused for another reason, and notes from the servers. */
  remarks: string[];
  /** Names of all tools of the servers, also of those that are joined with others before they are offered. */
  tools: string[];
  /** Servers that did not start. */
  down: string[];
}

/** Finds problems with the tools of an agent's servers, for its author. Starts the servers. */
export async function findServerProblems({ runtime, user, agent, signal }: LookOptions): Promise<ServerReport> {
  if (!hasServers(agent)) return { clashes: [], remarks: [], tools: [], down: [] };
  const { offered, refusals } = await runtime.listTools(user, agent.name, { signal, looks: true });
  const listed = runtime.describe(agent.name).sources.flatMap(({ tools }) => tools.map(({ name }) => name));
  return {
    clashes: describeRefusals(refusals.filter(({ isClash }) => isClash)),
    remarks: [...describeRefusals(refusals.filter(({ isClash }) => !isClash)), ...readRemarks(runtime, agent)],
    tools: [...offered.keys(), ...listed],
    down: remoteSources(runtime, agent).flatMap(({ name, state }) => (state === 'ready' ? [] : [name])),
  };
}

/** Tools of an entry with the same reason share a line. */
function describeRefusals(refusals: readonly Refusal[]): string[] {
  const bySource = Map.groupBy(refusals, ({ source, reason }) => JSON.stringify([source, reason]));
  return [...bySource.values()].flatMap((same) => {
    const [first] = same;
    const names = same.map(({ tool }) => tool).join(', ');
    const verb = same.length > 1 ? 'are' : 'is';
    return first ? [`tools.${first.source}: ${names} ${verb} not offered: ${first.reason}`] : [];
  });
}

/** Whether any tool comes from a program or a URL, which only an attempt can check. */
export function hasServers(agent: Agent): boolean {
  return agent.tools.some(isRemote);
}

export function remoteNames(agent: Agent): string[] {
  return agent.tools.filter(isRemote).map((tool) => tool.name);
}

/** Lines about the servers that are about to be started or reached. */
export function describeStarts(agent: Agent): string[] {
  return agent.tools.flatMap((tool) => kindOf(tool).describeStart?.(tool) ?? []);
}

function remoteSources(runtime: Runtime, agent: Agent) {
  const names = remoteNames(agent);
  return runtime.describe(agent.name).sources.filter(({ name }) => names.includes(name));
}

/** Notes from running servers, such as a tool whose definition is unusable. */
function readRemarks(runtime: Runtime, agent: Agent): string[] {
  const known = remoteSources(runtime, agent).filter(({ state }) => state === 'ready' || state === 'degraded');
  const members = entriesThatBring(agent, 'member').map(({ name }) => name);
  const placeOf = (name: string) => `${members.includes(name) ? 'agents' : 'tools'}.${name}`;
  return known.flatMap(({ name, detail }) => (detail === undefined ? [] : [`${placeOf(name)}: ${detail}`]));
}
