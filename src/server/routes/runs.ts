import { AppError } from '../../errors.ts';
import { attackName, listRuns, readLastRun, readRun } from '../../evals/report/run-files.ts';
import type { Agent } from '../../schema/agent.ts';
import { DifferencesQuery, RunsQuery } from '../../schema/requests.ts';
import { countCases, RunReport, type RunSummary } from '../../schema/tests/run-report.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';
import { shownFolder } from './agent-list.ts';
import { findAgent } from './agents.ts';

interface RunRoute {
  name: string;
  run: string;
}

/** Stored runs of `holodeck test`. A user who may not see them gets the same answers as if there were none. */
export function addRunRoutes(app: HttpApp, deps: ServerDeps): void {
  const open = ({ params, user }: HttpRequest<{ name: string }>): AgentRuns => {
    const agent = findAgent(deps.runtime, params.name);
    return runsOf(agent, shownFolder(deps, user, agent));
  };

  app.get<{ name: string }>('/agent/:name/runs', async (request) => {
    const runs = open(request);
    const { limit, before } = parseRequest(RunsQuery, request.query);
    const found = runs.list(limit + 1, before);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { runs: shown.map(toSummary), ...(last && { next_before: last.id }) };
  });

  app.get<RunRoute>('/agent/:name/runs/:run', async (request) => open(request).read(request.params.run));

  app.get<RunRoute>('/agent/:name/runs/:run/differences', async (request) => {
    const runs = open(request);
    const { with: other } = parseRequest(DifferencesQuery, request.query);
    const run = runs.read(request.params.run);
    const { compareRuns } = await import('../../evals/report/compare-runs.ts');
    return compareRuns(other === undefined ? runs.readBefore(run) : runs.read(other), run);
  });
}

interface AgentRuns {
  list(limit: number, before?: string): RunReport[];
  read(id: string): RunReport;
  /** The run before it, of cases or of attacks as this one. */
  readBefore(run: RunReport): RunReport;
}

/** The runs of one agent: a data folder may hold those of several. */
function runsOf(agent: Agent, folder: string | undefined): AgentRuns {
  const names = [agent.name, attackName(agent)];
  const find = (id: string): RunReport | undefined => {
    const run = folder === undefined ? undefined : readRun(folder, id);
    return run && names.includes(run.agent) ? toShown(run) : undefined;
  };
  return {
    list(limit, before) {
      const found: RunReport[] = [];
      for (const id of folder === undefined ? [] : listRuns(folder)) {
        if (found.length === limit) break;
        const run = before !== undefined && id >= before ? undefined : find(id);
        if (run) found.push(run);
      }
      return found;
    },
    read: (id) => find(id) ?? noRun('There is no such run.'),
    readBefore({ agent: name, id }) {
      const before = folder === undefined ? undefined : readLastRun(folder, name, id);
      return before ? toShown(before) : noRun('There is no run before this one.');
    },
  };
}

/** Answers and tool results may hold characters that reorder text or control a terminal. */
function toShown(run: RunReport): RunReport {
  return RunReport.parse(sanitizeJson(run));
}

function toSummary(run: RunReport): RunSummary {
  const { format: _format, cases: _cases, ...facts } = run;
  return { ...facts, ...countCases(run) };
}

function noRun(detail: string): never {
  throw new AppError('not_found', { detail });
}
