import { AppError } from '../errors.ts';
import type { HttpApp } from './http/app.ts';
import type { HttpReply } from './http/reply.ts';
import type { HttpRequest } from './http/request.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Probes of a load balancer come under any name; under a foreign one their answers tell nothing. */
const ANY_HOST_ROUTES = new Set(['/health', '/ready']);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Sent for our own page, and for what a person typed or opened. */
const OWN_SITES = new Set(['same-origin', 'none']);

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id, prefer',
  'access-control-max-age': '600',
};

export interface GuardOptions {
  /** Names beside loopback's that this server is reached by, with or without a port. */
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
  /** A token comes with every request; a browser adds none by itself, so that a foreign page has none to use. */
  hasAuth: boolean;
}

/** Refuses a request that came under a foreign name (DNS rebinding) or from a foreign page, before anything is read. */
export function addGuard(app: HttpApp, { allowedHosts, corsOrigins, hasAuth }: GuardOptions): void {
  const hosts = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())]);
  app.addHook((request, reply) => {
    reply.headers(SECURITY_HEADERS);
    request.isKnownHost = isKnownHost(request, hosts);
    if (!request.isKnownHost && !ANY_HOST_ROUTES.has(request.path)) {
      throw new AppError('host_not_allowed', { detail: 'Add this host to server.allowed_hosts to serve it.' });
    }
    const { origin } = request.headers;
    if (origin === undefined) {
      if (!hasAuth && !corsOrigins.includes('*')) refuseForeignPage(request);
      return;
    }
    if (isSameOrigin(origin, request, hosts)) return;
    if (!corsOrigins.includes(origin) && !corsOrigins.includes('*')) {
      throw new AppError('origin_not_allowed', { detail: 'Add this origin to server.cors_origins to let it call.' });
    }
    allowOrigin(reply, corsOrigins.includes('*') ? '*' : origin);
    if (isPreflight(request)) reply.headers(PREFLIGHT_HEADERS).code(204).send();
  });
}

/** A browser says by itself that a page of elsewhere makes it send this; some requests have no Origin beside that. */
function refuseForeignPage({ method, headers }: HttpRequest): void {
  const site = headers['sec-fetch-site'];
  if (SAFE_METHODS.has(method) || site === undefined || OWN_SITES.has(String(site))) return;
  throw new AppError('origin_not_allowed', {
    detail: 'A page of another origin sent this request without its Origin.',
  });
}

function isKnownHost(request: HttpRequest, hosts: ReadonlySet<string>): boolean {
  const host = request.host.toLowerCase();
  return hosts.has(host) || hosts.has(host.replace(/:\d+$/, ''));
}

function isSameOrigin(origin: string, request: HttpRequest, hosts: ReadonlySet<string>): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host === request.host.toLowerCase() && isKnownHost(request, hosts);
}

function allowOrigin(reply: HttpReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'location, preference-applied, retry-after',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  });
}

function isPreflight(request: HttpRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}
