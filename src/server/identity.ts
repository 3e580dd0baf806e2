import type { User } from '../schema/user.ts';
import type { HttpApp } from './http/app.ts';

/** Who sent this `Authorization` header. */
export type Identify = (authorization: string | undefined) => User | Promise<User>;

/** What tells nothing about anybody. */
const NO_TOKEN_ROUTES = new Set(['/', '/health', '/ready', '/docs', '/openapi.json']);

/** Every request has its user before its body is read; without one it gets 401, whatever it asks for. */
export function addIdentity(app: HttpApp, identify: Identify): void {
  app.addHook(async (request) => {
    if (NO_TOKEN_ROUTES.has(request.path) && (request.method === 'GET' || request.method === 'HEAD')) return;
    request.user = await identify(request.headers.authorization);
  });
}
