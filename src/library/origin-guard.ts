import { AppError } from '../errors.ts';
import type { HttpApp } from '../server/http/app.ts';
import {
  allowOrigin,
  isPreflight,
  PREFLIGHT_HEADERS,
  refuseForeignPage,
  SAFE_METHODS,
  SECURITY_HEADERS,
} from '../server/http/guard.ts';
import type { HttpRequest } from '../server/http/request.ts';

/**
 * The guard of a handler inside an app, whose login is mostly a cookie: browsers send it with requests of foreign pages
 * too. Every method that changes something needs the app's own origin or one of `origins`. The app checks Host itself.
 */
export function addOriginGuard(app: HttpApp, origins: readonly string[]): void {
  app.addHook((request, reply) => {
    reply.headers(SECURITY_HEADERS);
    const { origin } = request.headers;
    if (origin === undefined) return refuseUnknownPage(request);
    if (isOwn(origin, request)) return;
    if (!origins.includes(origin)) {
      throw new AppError('origin_not_allowed', {
        detail: 'A page of another origin sent this request. Add its origin to `origins` of createHandler.',
      });
    }
    allowOrigin(reply, origin);
    reply.header('access-control-allow-credentials', 'true');
    if (isPreflight(request)) reply.headers(PREFLIGHT_HEADERS).code(204).send();
  });
}

/** Every browser names the origin or the site of a request that changes something; a cookie without either is refused. */
function refuseUnknownPage(request: HttpRequest): void {
  refuseForeignPage(request);
  const { 'sec-fetch-site': site, cookie } = request.headers;
  if (SAFE_METHODS.has(request.method) || site !== undefined || cookie === undefined) return;
  throw new AppError('origin_not_allowed', { detail: 'A request with a cookie needs an Origin header.' });
}

/** A proxy may end TLS before the app, so https counts as own on a plain connection, and http never on an encrypted one. */
function isOwn(origin: string, { host, scheme }: HttpRequest): boolean {
  const url = URL.parse(origin);
  if (url === null || url.host === '' || url.origin !== origin.toLowerCase()) return false;
  const plain = host.toLowerCase().replace(url.protocol === 'https:' ? /:443$/ : /:80$/, '');
  return url.host === plain && (url.protocol === 'https:' || (url.protocol === 'http:' && scheme === 'http'));
}
