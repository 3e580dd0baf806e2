import type { FastifyRequest } from 'fastify';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerState } from '../schema/server.ts';
import type { User } from '../schema/user.ts';

/** What every route stands on. */
export interface ServerDeps {
  runtime: Runtime;
  state(): ServerState;
  /** Who is asking; throws `unauthorized` before anything is looked up. */
  identify(request: FastifyRequest): User;
}
