import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import { type UserFacts, userFromId } from '../identity/user.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { User } from '../schema/user.ts';
import type { Hosted } from './hosted.ts';

/** A user of your app: the id, or the id with facts that the agent may use. */
export type AppUser = string | ({ id: string } & Pick<UserFacts, 'name' | 'timezone' | 'groups'>);

export interface HandlerOptions<Incoming> {
  /**
   * Returns the user of a request from your app's own login; undefined = 401. It gets what your framework passed: a
   * `Request` for `handle`, Node's request for `handle.node`.
   */
  user(request: Incoming): AppUser | null | undefined | Promise<AppUser | null | undefined>;
  /** The path below which the routes are, such as `/api/agents`. */
  basePath?: string;
  /** Origins besides your app's own whose pages may send requests with the user's cookie. */
  origins?: readonly string[];
}

/** Serves every route of a runtime inside your app. */
export interface Handler {
  /** For hosts of the web's standard: Next.js, Hono, SvelteKit. */
  (request: Request): Promise<Response>;
  /** For hosts with Node's objects: Express, Fastify, node:http. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends the streams that wait for later turns; call it before `runtime.stop()`. */
  close(): void;
}

/** Makes the handler that you mount below `basePath`; its code is loaded with the first request. */
export function createHandler<Incoming extends Request | IncomingMessage>(
  runtime: Runtime,
  { user, basePath = '', origins = [] }: HandlerOptions<Incoming>,
): Handler {
  const base = checkBase(basePath);
  const issuer = runtime.agents[0]?.server.auth?.jwt.issuer;
  const stopping = new AbortController();
  let opening: Promise<Hosted> | undefined;
  const open = () => {
    opening ??= import('./hosted.ts').then(({ openHosted }) =>
      openHosted(runtime, {
        // The framework passes the kind of request that the caller's function expects.
        identify: async (_token, { incoming }) => toUser(await user(incoming as Incoming), issuer),
        basePath: base,
        origins,
        stopping: stopping.signal,
      }),
    );
    return opening;
  };
  return Object.assign(async (request: Request) => (await open()).web(request), {
    node: async (request: IncomingMessage, response: ServerResponse) => (await open()).node(request, response),
    close: () => stopping.abort(),
  });
}

function checkBase(given: string): string {
  const base = given.replace(/\/+$/, '');
  if (base === '' || /^(\/[\w.~-]+)+$/.test(base)) return base;
  throw new AppError('config_invalid', { detail: `basePath: ${given} is not a path such as /api/agents.` });
}

function toUser(given: AppUser | null | undefined, issuer: string | undefined): User {
  if (given === undefined || given === null) throw new AppError('unauthorized', { detail: 'Sign in first.' });
  const { id, ...facts } = typeof given === 'string' ? { id: given } : given;
  return userFromId(id, { ...facts, ...(issuer && { issuer }) });
}
