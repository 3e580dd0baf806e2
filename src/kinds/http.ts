import * as z from 'zod';
import type { OAuthServer } from '../mcp/oauth/grant.ts';
import { Host, Scope, StringMap, Text, Url } from '../schema/scalars.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { checkAddress, checkHeaders, findUserTexts } from './check-entry.ts';
import { defineKind } from './kind.ts';
import { checkUserTexts, openRemote } from './remote.ts';
import { checkLists, serverKeys } from './server-entry.ts';

/** Settings of `auth: oauth`; all are optional. */
const OAuthSettings = z.strictObject({
  client_id: Text.optional(),
  client_secret: Text.optional(),
  issuer: Url.optional(),
  client_metadata_url: Url.optional(),
  scopes: z.array(Scope).optional(),
  allowed_hosts: z.array(Host).default([]),
});

export const HttpEntry = z.strictObject({
  ...serverKeys,
  transport: z.literal('http'),
  url: Url,
  headers: StringMap.default({}),
  auth: z.literal('oauth').optional(),
  oauth: OAuthSettings.optional(),
});
export type HttpEntry = z.infer<typeof HttpEntry>;

/** An MCP server at an address. */
export const httpKind = defineKind(HttpEntry, {
  describeStart: ({ name, url }) => `connecting to ${name}: ${new URL(url).origin}`,
  check: (entry, path) => [
    ...checkAddress(entry.url, [...path, 'url']),
    ...checkHeaders(entry.headers, path),
    ...checkUserTexts(
      { filled: findUserTexts('headers', entry.headers), other: [{ path: ['url'], text: entry.url }] },
      path,
    ),
    ...checkLists(entry, path),
    ...checkLogin(entry, path),
  ],
  complete: (entry) =>
    entry.auth === 'oauth' || findUserTexts('headers', entry.headers).length > 0
      ? { ...entry, connection: 'per_user' as const }
      : entry,
  names: async ({ allow }) => allow,
  login: (entry, agent) => loginOf(entry, agent.name),
  open: (entries, options) => entries.map((entry) => openRemote(entry, options, loginOf(entry, options.agent.name))),
});

function loginOf({ name, url, auth, oauth }: HttpEntry, agent: string): OAuthServer | undefined {
  if (auth !== 'oauth') return undefined;
  return {
    agent,
    name,
    url,
    allowedHosts: oauth?.allowed_hosts ?? [],
    ...(oauth?.client_id !== undefined && { clientId: oauth.client_id }),
    ...(oauth?.client_secret !== undefined && { clientSecret: oauth.client_secret }),
    ...(oauth?.issuer !== undefined && { issuer: oauth.issuer }),
    ...(oauth?.client_metadata_url !== undefined && { clientMetadataUrl: oauth.client_metadata_url }),
    ...(oauth?.scopes !== undefined && { scopes: oauth.scopes }),
  };
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens travel over https only, or inside this machine. */
function checkLogin(entry: HttpEntry, path: Path): Finding[] {
  if (entry.auth === undefined) {
    const isAlone = entry.oauth !== undefined;
    return isAlone ? [{ path: [...path, 'oauth'], message: 'has no effect without auth: oauth' }] : [];
  }
  const { protocol, hostname } = new URL(entry.url);
  const header = Object.keys(entry.headers).find((name) => name.toLowerCase() === 'authorization');
  const { client_id, client_secret, client_metadata_url: document } = entry.oauth ?? {};
  return [
    ...(protocol === 'https:' || THIS_MACHINE.test(hostname)
      ? []
      : [{ path: [...path, 'url'], message: 'needs https, because the tokens of users are sent to it' }]),
    ...(header === undefined
      ? []
      : [{ path: [...path, 'headers', header], message: 'is set by auth: oauth; remove it' }]),
    ...(client_secret !== undefined && client_id === undefined
      ? [{ path: [...path, 'oauth', 'client_secret'], message: 'needs client_id beside it' }]
      : []),
    ...(document !== undefined && !/^https:\/\/[^/]+\/./.test(document)
      ? [{ path: [...path, 'oauth', 'client_metadata_url'], message: 'must be an https address with a path' }]
      : []),
  ];
}
