import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Probes of a load balancer come under any name, and their answers tell nothing. */
const OPEN_ROUTES = new Set(['/health', '/ready']);

export interface GuardOptions {
  /** Names beside loopback's that this server is reached by. */
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
}

/** Refuses a request that came under a foreign name (DNS rebinding) or from a foreign page, before anything is read. */
export function addGuard(app: FastifyInstance, { allowedHosts, corsOrigins }: GuardOptions): void {
  const hosts = new Set([...LOOPBACK, ...allowedHosts]);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
    if (!OPEN_ROUTES.has(request.url) && !hosts.has(hostName(request))) {
      throw new AppError('host_not_allowed', { detail: 'Add this host to server.allowed_hosts to serve it.' });
    }
    const { origin } = request.headers;
    if (origin !== undefined && !corsOrigins.includes(origin) && !isSameOrigin(origin, request, hosts)) {
      throw new AppError('origin_not_allowed', { detail: 'Add this origin to server.cors_origins to let it call.' });
    }
  });
}

function hostName(request: FastifyRequest): string {
  return (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
}

function isSameOrigin(origin: string, request: FastifyRequest, hosts: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === request.headers.host?.toLowerCase() && hosts.has(url.hostname);
}
