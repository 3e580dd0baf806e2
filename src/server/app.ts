import { type FastifyInstance, fastify } from 'fastify';
import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { newUlid } from '../schema/ids.ts';
import type { Protocol, ServerState } from '../schema/server.ts';
import { MAX_JSON_BYTES } from './attachments.ts';
import { addBodyParsers } from './body.ts';
import { answerBrokenRequest } from './broken-request.ts';
import type { ServerDeps, StreamTiming } from './deps.ts';
import { addGuard, pathOf } from './guard.ts';
import { addIdentity, type Identify } from './identity.ts';
import { addMultipartParser } from './multipart.ts';
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

export function createApp(options: AppOptions): FastifyInstance {
  const { server, protocol = 'all', clock = systemClock } = options;
  const app = fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: MAX_JSON_BYTES,
    genReqId: newUlid,
    trustProxy: server.trust_proxy,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
  });
  const deps: ServerDeps = {
    runtime: options.runtime,
    server,
    state: options.state,
    takeTurn: createRateLimit({ perMinute: server.rate_limit.turns_per_minute, clock }),
    timing: { keepaliveMs: 15_000, stallMs: 30_000, ...options.timing },
    debug: options.debug ?? false,
    stopping: options.stopping ?? new AbortController().signal,
    clock,
  };
  addRequestLog(app, options.log);
  addGuard(app, { allowedHosts: [server.host, ...server.allowed_hosts], corsOrigins: server.cors_origins });
  addIdentity(app, options.identify);
  addBodyParsers(app);
  addMultipartParser(app);
  addErrors(app);
  addHealthRoutes(app, deps);
  addPageRoutes(app);
  addSessionRoutes(app, deps);
  addEventRoutes(app, deps);
  addAgentRoutes(app, deps);
  if (protocol !== 'ag-ui') addChatRoutes(app, deps);
  if (protocol !== 'rest') addAguiRoutes(app, deps);
  return app;
}

function addErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const methods = findMethods(path).filter((method) => method !== request.method);
    if (methods.length === 0) {
      return sendProblem(new AppError('not_found', { detail: `There is nothing at ${path}.` }), request, reply);
    }
    reply.header('allow', methods.join(', '));
    const detail = `${path} takes ${methods.join(' and ')} only.`;
    return sendProblem(new AppError('method_not_allowed', { detail }), request, reply);
  });
}

/** Requests are checked by our own schemas: fastify's compilers, and the packages behind them, are never loaded. */
function noCompiler(): never {
  throw new Error('a route has a schema of its own');
}
