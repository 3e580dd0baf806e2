import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type AppUser, toUser } from './app-user.ts';
import type { Hosted } from './hosted.ts';

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
  /** Gets each failure of `user` or of HoloDeck, with its stack; clients see only a sentence. Default: `console.error`. */
  log?(text: string): void;
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
  options: HandlerOptions<Incoming>,
): Handler {
  const { user, basePath = '', origins = [], log = console.error } = options ?? {};
  checkOptions(runtime, { user, basePath, origins });
  const issuer = runtime.agents[0]?.server.auth?.jwt.issuer;
  const stopping = new AbortController();
  let opening: Promise<Hosted> | undefined;
  const open = () => {
    opening ??= import('./hosted.ts').then(({ openHosted }) =>
      openHosted(runtime, {
        // The framework passes the kind of request that the caller's function expects.
        identify: async (_token, { incoming }) => toUser(await user(incoming as Incoming), issuer),
        basePath: basePath.replace(/\/$/, ''),
        origins,
        log,
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

function checkOptions(runtime: unknown, { user, basePath, origins }: Partial<Record<string, unknown>>): void {
  const refuse = (detail: string) => new AppError('config_invalid', { detail });
  if (!Array.isArray(Object(runtime).agents)) throw refuse('runtime: pass what `await createRuntime({…})` returns.');
  if (typeof user !== 'function') throw refuse('user: pass a function that returns the user of a request.');
  if (typeof basePath !== 'string' || !BASE.test(basePath))
    throw refuse(`basePath: ${basePath} is not a path such as /api/agents.`);
  if (!Array.isArray(origins)) throw refuse('origins: pass a list.');
  const wrong = origins.findIndex((origin) => typeof origin !== 'string' || !isOrigin(origin));
  if (wrong >= 0) throw refuse(`origins: ${origins[wrong]} is not an origin such as https://shop.example.com.`);
}

/** Segments without `.` and `..`, which no request has. */
const BASE = /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/;

/** As a browser sends it: without a path and without a slash at the end. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}
