import packageJson from '../../package.json' with { type: 'json' };
import { AppError } from '../errors.ts';
import type { VerifyToken } from '../identity/token.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { isLoopback } from '../schema/scalars.ts';
import type { Me } from '../schema/server.ts';
import type { User } from '../schema/user.ts';
import type { ServerDeps } from './deps.ts';
import type { HttpApp } from './http/app.ts';
import type { HttpSource } from './http/exchange.ts';

/** Returns the user of an `Authorization` header, or of a request that an app has authenticated. */
export type Identify = (authorization: string | undefined, source: HttpSource) => User | Promise<User>;

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
    refuseTwoTokens(request.source);
    request.user = await identify(request.headers.authorization, request.source);
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
function refuseTwoTokens(source: HttpSource): void {
  if (source.countHeader('authorization') < 2) return;
  throw new AppError('unauthorized', { detail: 'Send one Authorization header, not several.' });
}

/**
 * Returns the token check, or undefined if only this machine can reach the server. Without tokens it never allows
 * access from other machines, even for settings that did not pass the checks of agent.yaml.
 */
export async function openTokenCheck(
  { auth, host }: ServerConfig,
  warn: (text: string) => void,
): Promise<VerifyToken | undefined> {
  if (!auth) {
    if (isLoopback(host)) return undefined;
    throw new AppError('config_invalid', {
      detail: `${host} is reachable from other machines. Set server.auth, or use 127.0.0.1.`,
    });
  }
  const { createTokenCheck, SECRET_BYTES } = await import('../identity/token.ts');
  if (auth.jwt.secret !== undefined && Buffer.byteLength(auth.jwt.secret) < SECRET_BYTES) {
    warn(`server.auth.jwt.secret is shorter than ${SECRET_BYTES} bytes and can be guessed`);
  }
  return createTokenCheck(auth.jwt, auth);
}

/** The user of a request, with what the server knows about the way to it. */
export function describeUser({ server, signIn }: Pick<ServerDeps, 'server' | 'signIn'>, user: User): Me {
  const { id, name, timezone } = user;
  return {
    id,
    ...(name !== undefined && { name }),
    zone: timezone ?? server.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    auth: signIn,
    reach: isLoopback(server.host) ? 'loopback' : 'network',
    is_developer: isDeveloper(server, user),
    version: packageJson.version,
  };
}
