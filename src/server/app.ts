import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createShare, userShares } from '../runtime/admission.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerConfig } from '../schema/agent.ts';
import type { Protocol, ServerState } from '../schema/server.ts';
import { MAX_JSON_BYTES } from './attachments.ts';
import { addJsonReader } from './body.ts';
import { answerBrokenRequest } from './broken-request.ts';
import type { ServerDeps, StreamTiming } from './deps.ts';
import { STALL_MS } from './event-output.ts';
import { addGuard } from './guard.ts';
import { createHttpApp, type Hook, type HttpApp } from './http/app.ts';
import { addIdentity, type Identify } from './identity.ts';
import { addFormReader } from './multipart.ts';
import { sendProblem } from './problem.ts';
import { createRateLimit } from './rate-limit.ts';
import { addRequestLog, type LogTarget } from './request-log.ts';
import { findMethods } from './route-table.ts';
import { addAgentRoutes } from './routes/agents.ts';
import { addAguiRoutes } from './routes/agui.ts';
import { addChatRoutes } from './routes/chat.ts';
import { addEventRoutes } from './routes/events.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addPageRoutes } from './routes/pages.ts';
import { addSessionRoutes } from './routes/sessions.ts';

const HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;

export interface AppOptions {
  runtime: Runtime;
  server: ServerConfig;
  state(): ServerState;
  /** Who is asking; throws `unauthorized` before anything is looked up. */
  identify: Identify;
  protocol?: Protocol;
  log?: LogTarget;
  debug?: boolean;
  stopping?: AbortSignal;
  timing?: Partial<StreamTiming>;
  clock?: Clock;
}

export function createApp(options: AppOptions): HttpApp {
  const { server, protocol = 'all', clock = systemClock } = options;
  const rate = createRateLimit({ perMinute: server.rate_limit.turns_per_minute, clock });
  const perUser = userShares(server).streams;
  const uploads = createShare({ perUser, what: 'requests are being sent' });
  const app = createHttpApp({
    trustsProxy: server.trust_proxy,
    maxHeaderSize: HEADER_BYTES,
    // The guard refuses it, in our words.
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    onError: sendProblem,
    onNotFound: sayNotFound,
    onBrokenRequest: answerBrokenRequest,
    admitBody({ user }) {
      // Every body is a turn's; a user without turns left is not listened to.
      rate.check(user);
      return uploads.take(user);
    },
  });
  const deps: ServerDeps = {
    runtime: options.runtime,
    server,
    state: options.state,
    takeTurn: rate.take,
    streams: createShare({ perUser, what: 'event streams are open' }),
    timing: { keepaliveMs: 15_000, stallMs: STALL_MS, ...options.timing },
    debug: options.debug ?? false,
    stopping: options.stopping ?? new AbortController().signal,
    clock,
  };
  addRequestLog(app, options.log);
  addGuard(app, {
    allowedHosts: [server.host, ...server.allowed_hosts],
    corsOrigins: server.cors_origins,
    hasAuth: server.auth !== undefined,
  });
  addIdentity(app, options.identify);
  addJsonReader(app, MAX_JSON_BYTES);
  if (protocol !== 'ag-ui') addFormReader(app);
  addHealthRoutes(app, deps);
  addPageRoutes(app);
  addSessionRoutes(app, deps);
  addEventRoutes(app, deps);
  addAgentRoutes(app, deps);
  if (protocol !== 'ag-ui') addChatRoutes(app, deps);
  if (protocol !== 'rest') addAguiRoutes(app, deps);
  return app;
}

const sayNotFound: Hook = ({ path, method }, reply) => {
  const methods = findMethods(path);
  if (methods.length === 0 || methods.includes(method))
    throw new AppError('not_found', { detail: `There is nothing at ${path}.` });
  reply.header('allow', methods.join(', '));
  throw new AppError('method_not_allowed', { detail: `${path} takes ${methods.join(' and ')} only.` });
};
