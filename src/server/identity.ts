import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { isLoopback } from '../schema/scalars.ts';
import type { User } from '../schema/user.ts';
import type { HttpApp } from './http/app.ts';

/** Returns the user of an `Authorization` header. */
export type Identify = (authorization: string | undefined) => User | Promise<User>;

/** Answers that hold nothing about any user. */
const NO_TOKEN_ROUTES = new Set(['/health', '/ready', '/docs', '/docs/script.js', '/docs/style.css', '/openapi.json']);
const NO_TOKEN_FOLDERS = /^(\/assets|(\/agent\/[^/]+)?\/\.well-known)\//;
/** A browser brings no token to these; a login is bound to its state and to a cookie. */
const BROWSER_ROUTES = new Set(['/', '/oauth/callback']);

/**
 * Every request has its user before its body is read; without one it gets 401, whatever it asks for. The page at `/` names
 * the local user where tokens are off; where they are on it is the same for everybody, and its reader signs in later.
 */
export function addIdentity(app: HttpApp, identify: Identify, { hasAuth }: { hasAuth: boolean }): void {
  const isOpen = (path: string) =>
    NO_TOKEN_ROUTES.has(path) || NO_TOKEN_FOLDERS.test(path) || (hasAuth && BROWSER_ROUTES.has(path));
  app.addHook(async (request) => {
    if (isOpen(request.path) && (request.method === 'GET' || request.method === 'HEAD')) return;
    refuseTwoTokens(request.raw);
    request.user = await identify(request.headers.authorization);
  });
}

/** Whether prompts, tool definitions and provider errors may be shown to this user. */
export function isDeveloper({ auth }: ServerConfig, user: User): boolean {
  return auth === undefined || user.is_developer === true;
}

/**
 * Whether test runs may be shown to this user. They hold conversations of the agent's author, and belong to no user of
 * the server: without authentication only this machine sees them.
 */
export function canSeeRuns({ auth, host }: ServerConfig, user: User): boolean {
  return auth ? user.is_developer === true : isLoopback(host);
}

/** Node keeps the first of two Authorization headers; a proxy may have checked the other one. */
function refuseTwoTokens({ rawHeaders }: IncomingMessage): void {
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name));
  if (sent.length < 2) return;
  throw new AppError('unauthorized', { detail: 'Send one Authorization header, not several.' });
}
