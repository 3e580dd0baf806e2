import type { FastifyInstance } from 'fastify';
import type { User } from '../schema/user.ts';
import { pathOf } from './guard.ts';

/** Who sent this `Authorization` header. */
export type Identify = (authorization: string | undefined) => User | Promise<User>;

/** What tells nothing about anybody. */
const OPEN_ROUTES = new Set(['/', '/health', '/ready', '/docs', '/openapi.json']);

/** Every request has its user before its body is read; without one it gets 401, whatever it asks for. */
export function addIdentity(app: FastifyInstance, identify: Identify): void {
  app.decorateRequest('user');
  app.addHook('onRequest', async (request) => {
    if (OPEN_ROUTES.has(pathOf(request)) && request.method === 'GET') return;
    request.user = await identify(request.headers.authorization);
  });
}
