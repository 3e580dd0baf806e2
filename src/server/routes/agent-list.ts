import { listRuns } from '../../evals/report/run-files.ts';
import { entriesThatBring, kindOf } from '../../kinds/tool-kinds.ts';
import type { Agent } from '../../schema/agent.ts';
import type { AgentInfo } from '../../schema/server.ts';
import type { User } from '../../schema/user.ts';
import type { SourceStatus } from '../../tools/tool.ts';
import type { ServerDeps } from '../deps.ts';
import { canSeeRuns } from '../identity.ts';

/** A list of agents never waits longer than this for tool servers that are still starting. */
const LIST_WAIT_MS = 300;

/** The agents of this server for people who choose one. */
export function describeAgents(deps: ServerDeps, user: User): Promise<AgentInfo[]> {
  const { runtime } = deps;
  const problem = runtime.findProblem();
  return Promise.all(
    runtime.agents.map(async (agent) => {
      const offered = await countTools({ runtime }, user, agent.name);
      const { sources } = runtime.describe(agent.name);
      const known = sources.reduce((sum, { tools }) => sum + tools.length, 0);
      const runs = hasRuns(deps, user, agent) && { has_runs: true as const };
      return { ...factsOf(agent), ...runs, tools: offered ?? known, ...stateOf(sources, problem) };
    }),
  );
}

function factsOf(agent: Agent): Omit<AgentInfo, 'tools' | 'state' | 'problem'> {
  const { name, description, starters, model, domains, tools, knowledge } = agent;
  const isBuiltin = model.provider === 'builtin';
  return {
    name,
    ...(description !== undefined && { description }),
    starters,
    model: { provider: model.provider, name: model.name ?? model.provider, is_builtin: isBuiltin },
    has_domains: domains.some(({ enabled }) => enabled),
    ...(tools.some((entry) => kindOf(entry).login?.(entry, agent)) && { has_logins: true as const }),
    ...(knowledge && { has_knowledge: true as const }),
    has_tasks: entriesThatBring(agent, 'tasks').length > 0,
  };
}

/** The tools that this user may call now; undefined while servers are starting. */
async function countTools({ runtime }: Pick<ServerDeps, 'runtime'>, user: User, agent: string) {
  const signal = AbortSignal.timeout(LIST_WAIT_MS);
  const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  const listed = runtime.listTools(user, agent, { signal }).then(
    ({ offered }) => offered.size,
    () => undefined,
  );
  return Promise.race([listed, late]);
}

type State = Pick<AgentInfo, 'state' | 'problem'>;

function stateOf(sources: readonly (SourceStatus & { name: string })[], problem: string | undefined): State {
  if (problem !== undefined) return { state: 'failed', problem };
  const broken = sources.filter(({ state }) => state === 'unavailable' || state === 'degraded');
  const problems = broken.map(({ name, detail }) => `${name}: ${detail ?? 'unavailable'}`);
  if (problems.length > 0) return { state: 'degraded', problem: problems.join(' ') };
  return { state: sources.some(({ state }) => state === 'starting') ? 'starting' : 'ready' };
}

type RunDeps = Pick<ServerDeps, 'server' | 'runsFolder'>;

/** The folder with an agent's runs; undefined if this user may not see them. */
export function shownFolder({ server, runsFolder }: RunDeps, user: User, agent: Agent): string | undefined {
  return canSeeRuns(server, user) ? runsFolder?.(agent) : undefined;
}

function hasRuns(deps: RunDeps, user: User, agent: Agent): boolean {
  const folder = shownFolder(deps, user, agent);
  return folder !== undefined && listRuns(folder).length > 0;
}
