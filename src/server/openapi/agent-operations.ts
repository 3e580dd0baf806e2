import { DifferencesQuery, RunsQuery } from '../../schema/requests.ts';
import type { Operation } from './operation.ts';

const RUNS_SEEN_BY =
  'Shown to tokens with the developer scope; without `server.auth`, on a loopback address only. Other users get an empty list or 404.';

const DOCUMENTS_SEEN_BY =
  'Documents are shown by `visible_to` and the groups of your token; others do not exist for you.';

/** Stored runs of `holodeck test`, and the documents of `knowledge`. */
export const agentOperations: readonly Operation[] = [
  {
    id: 'listRuns',
    method: 'GET',
    path: '/agent/{name}/runs',
    tag: 'agents',
    summary: "List the stored runs of an agent's test cases, newest first",
    description: RUNS_SEEN_BY,
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
    description: RUNS_SEEN_BY,
    answer: 'Run',
    problems: [404],
  },
  {
    id: 'compareRun',
    method: 'GET',
    path: '/agent/{name}/runs/{run}/differences',
    tag: 'agents',
    summary: 'Compare a run with another one, new failures first',
    description: RUNS_SEEN_BY,
    query: DifferencesQuery,
    answer: 'RunDifferences',
    problems: [404, 422],
  },
  {
    id: 'listKnowledge',
    method: 'GET',
    path: '/agent/{name}/knowledge',
    tag: 'agents',
    summary: 'List the documents of an agent with their state, problems first',
    description: DOCUMENTS_SEEN_BY,
    answer: 'Knowledge',
    problems: [404],
  },
  {
    id: 'openPassage',
    method: 'GET',
    path: '/agent/{name}/knowledge/{document}',
    tag: 'agents',
    summary: 'Read a passage of a document by its place, such as that of a citation',
    description: `${DOCUMENTS_SEEN_BY} The path of the document is one part of the address, with / as %2F.`,
    query: 'PassageQuery',
    answer: 'Passage',
    problems: [404, 422],
  },
  {
    id: 'searchKnowledge',
    method: 'POST',
    path: '/agent/{name}/knowledge/search',
    tag: 'agents',
    summary: 'Search the documents of an agent, best passage first',
    description: DOCUMENTS_SEEN_BY,
    body: 'KnowledgeSearch',
    answer: 'FoundPassages',
    problems: [404, 422, 429],
  },
];

/** Logins of users to MCP servers. */
export const loginOperations: readonly Operation[] = [
  {
    id: 'listLogins',
    method: 'GET',
    path: '/agent/{name}/logins',
    tag: 'agents',
    summary: 'The MCP servers that you log in to, and whether you are logged in',
    answer: 'Logins',
    problems: [404],
  },
  {
    id: 'beginLogin',
    method: 'POST',
    path: '/agent/{name}/logins/{server}',
    tag: 'agents',
    summary: 'Begin a login to an MCP server with auth: oauth',
    description:
      'Open `url` in the same browser within 10 minutes: the answer sets a cookie, and the login counts only where that cookie is. The login server sends the browser to `/oauth/callback`.',
    answer: 'BegunLogin',
    problems: [404, 429, 502],
  },
  {
    id: 'endLogin',
    method: 'DELETE',
    path: '/agent/{name}/logins/{server}',
    tag: 'agents',
    summary: 'Log out of an MCP server: its tokens are removed, and revoked at the login server',
    answer: 'EndedLogin',
    problems: [404],
  },
  {
    id: 'finishLogin',
    method: 'GET',
    path: '/oauth/callback',
    tag: 'agents',
    summary: 'The address that a login server sends the browser back to',
    streams: ['text/html'],
    problems: [400, 421],
    isOpen: true,
  },
];
