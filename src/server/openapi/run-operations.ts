import { DifferencesQuery, RunsQuery } from '../../schema/requests.ts';
import type { Operation } from './operation.ts';

const SEEN_BY =
  'Shown to tokens with the developer scope; without `server.auth`, on a loopback address only. Other users get an empty list or 404.';

/** Stored runs of `holodeck test`. */
export const runOperations: readonly Operation[] = [
  {
    id: 'listRuns',
    method: 'GET',
    path: '/agent/{name}/runs',
    tag: 'agents',
    summary: "List the stored runs of an agent's test cases, newest first",
    description: SEEN_BY,
    query: RunsQuery,
    answer: 'Runs',
    problems: [404, 422],
  },
  {
    id: 'readRun',
    method: 'GET',
    path: '/agent/{name}/runs/{run}',
    tag: 'agents',
    summary: 'Read a run with its cases, failures and measures',
    description: SEEN_BY,
    answer: 'Run',
    problems: [404],
  },
  {
    id: 'compareRun',
    method: 'GET',
    path: '/agent/{name}/runs/{run}/differences',
    tag: 'agents',
    summary: 'Compare a run with another one, new failures first',
    description: SEEN_BY,
    query: DifferencesQuery,
    answer: 'RunDifferences',
    problems: [404, 422],
  },
];
