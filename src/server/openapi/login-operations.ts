import type { Operation } from './operation.ts';

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
