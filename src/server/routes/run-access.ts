import { listRuns } from '../../evals/report/run-files.ts';
import type { Agent } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import type { ServerDeps } from '../deps.ts';
import { canSeeRuns } from '../identity.ts';

type RunDeps = Pick<ServerDeps, 'server' | 'runsFolder'>;

/** The folder with an agent's runs; undefined if this user may not see them. */
export function shownFolder({ server, runsFolder }: RunDeps, user: User, agent: Agent): string | undefined {
  return canSeeRuns(server, user) ? runsFolder?.(agent) : undefined;
}

export function hasRuns(deps: RunDeps, user: User, agent: Agent): boolean {
  const folder = shownFolder(deps, user, agent);
  return folder !== undefined && listRuns(folder).length > 0;
}
