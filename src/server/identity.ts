import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
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
    refuseTwoTokens(request.raw);
    request.user = await identify(request.headers.authorization);
  });
}

/** Node keeps the first of two Authorization headers; a proxy may have checked the other one. */
function refuseTwoTokens({ rawHeaders }: IncomingMessage): void {
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name));
  if (sent.length < 2) return;
  throw new AppError('unauthorized', { detail: 'Send one Authorization header, not several.' });
}
