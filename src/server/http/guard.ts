import { isIP } from 'node:net';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app.ts';
import type { HttpReply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Load balancers probe these under any host name. Under an unknown one the responses reveal nothing. */
const ANY_HOST_ROUTES = new Set(['/health', '/ready']);

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Browsers send these for our own page, and for addresses that a person typed or opened. */
const OWN_SITES = new Set(['same-origin', 'none']);

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, last-event-id, prefer, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-session-id',
  'access-control-max-age': '600',
};

export interface GuardOptions {
  /** Host names besides loopback that this server is reached by, with or without a port. */
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
  /**
   * With authentication every request carries a token. Browsers add none by themselves, so a foreign page has none to
   * misuse.
   */
  hasAuth: boolean;
}

/** Rejects a request with a foreign host name (DNS rebinding) or from a foreign page, before anything is read. */
export function addGuard(app: HttpApp, { allowedHosts, corsOrigins, hasAuth }: GuardOptions): void {
  const hosts = knownHosts(allowedHosts);
  app.addHook((request, reply) => {
    reply.headers(SECURITY_HEADERS);
    request.isKnownHost = isKnownHost(request, hosts);
    if (!request.isKnownHost && !ANY_HOST_ROUTES.has(request.path)) {
      throw new AppError('host_not_allowed', {
        detail: 'This host name is not allowed. Add it to server.allowed_hosts.',
      });
    }
    const { origin } = request.headers;
    if (origin === undefined) {
      if (!hasAuth && !corsOrigins.includes('*')) refuseForeignPage(request);
      return;
    }
    if (isSameOrigin(origin, request, hosts)) return;
    if (!corsOrigins.includes(origin) && !corsOrigins.includes('*')) {
      throw new AppError('origin_not_allowed', {
        detail: 'This origin is not allowed. Add it to server.cors_origins.',
      });
    }
    allowOrigin(reply, corsOrigins.includes('*') ? '*' : origin);
    if (isPreflight(request)) reply.headers(PREFLIGHT_HEADERS).code(204).send();
  });
}

/**
 * Browsers mark requests from foreign pages with Sec-Fetch-Site; some of these requests have no Origin. A link to this
 * server may be followed. A picture or script of it could only hold event streams open.
 */
export function refuseForeignPage({ method, headers }: HttpRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === undefined || OWN_SITES.has(String(site))) return;
  if (SAFE_METHODS.has(method) && mode !== 'no-cors') return;
  throw new AppError('origin_not_allowed', {
    detail: 'A page of another origin sent this request without an Origin header.',
  });
}

function isKnownHost(request: HttpRequest, hosts: ReadonlySet<string>): boolean {
  return isHostOf(request.host, hosts);
}

function isHostOf(given: string, hosts: ReadonlySet<string>): boolean {
  const host = given.toLowerCase();
  return hosts.has(host) || hosts.has(host.replace(/:\d+$/, ''));
}

/**
 * Returns the host check of another port. Addresses are allowed too: monitoring reaches servers by address, and only a
 * name can be rebound to this machine.
 */
export function createHostCheck(allowedHosts: readonly string[]): (host: string) => boolean {
  const hosts = knownHosts(allowedHosts);
  return (host) => isHostOf(host, hosts) || isIP(host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function knownHosts(allowedHosts: readonly string[]): ReadonlySet<string> {
  return new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())]);
}

function isSameOrigin(origin: string, request: HttpRequest, hosts: ReadonlySet<string>): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host === request.host.toLowerCase() && isKnownHost(request, hosts);
}

export function allowOrigin(reply: HttpReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'location, mcp-session-id, preference-applied, retry-after, www-authenticate',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  });
}

export function isPreflight(request: HttpRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}
