import { type Clock, systemClock } from '../clock.ts';
import { AppError, toAppError } from '../errors.ts';
import { createShare, userShares } from '../runtime/live/admission.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerConfig } from '../schema/agent.ts';
import type { Protocol, ServerState } from '../schema/server.ts';
import { toParseError } from './a2a/a2a-out.ts';
import { addA2aRoutes } from './a2a/a2a-routes.ts';
import { addAguiRoutes } from './agui/agui.ts';
import type { ServerDeps, StreamTiming } from './deps.ts';
import { createHttpApp, type Hook, type HttpApp, type HttpAppOptions } from './http/app.ts';
import { addJsonReader } from './http/body.ts';
import { addGuard } from './http/guard.ts';
import { addFormReader } from './http/multipart.ts';
import { answerBrokenRequest, noteError, sendProblem } from './http/problem.ts';
import { addRequestLog, type LogTarget } from './http/request-log.ts';
import { addIdentity, type Identify } from './identity.ts';
import { addChallenge, addMcpRoutes } from './mcp/mcp-routes.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import { OPENAI_PATH, sendOpenaiError } from './openai/openai-error.ts';
import { addOpenaiRoutes } from './openai/openai-routes.ts';
import { addReferenceRoutes } from './openapi/reference-routes.ts';
import { addPageRoutes } from './page/page-routes.ts';
import { createRateLimit } from './rate-limit.ts';
import { MAX_JSON_BYTES } from './rest/attachments.ts';
import { addChatRoutes } from './rest/chat.ts';
import { addEventRoutes } from './rest/events.ts';
import { addSessionListRoutes } from './rest/session-list.ts';
import { addCopyRoutes, addSessionRoutes } from './rest/sessions.ts';
import { addSingleCall } from './rest/single-call.ts';
import { addTurnRoutes } from './rest/turns.ts';
import { findMethods } from './route-table.ts';
import { addAgentRoutes } from './routes/agents.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addLoginRoutes } from './routes/logins.ts';
import { addRunRoutes } from './routes/runs.ts';
import { addTaskRoutes } from './routes/tasks.ts';
import { STALL_MS } from './stream/event-output.ts';
import { addUiRoutes } from './ui/ui-routes.ts';

const HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 2_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;

export interface AppOptions {
  runtime: Runtime;
  server: ServerConfig;
  state(): ServerState;
  /** Returns the user of a request; throws `unauthorized` before anything is looked up. */
  identify: Identify;
  protocol?: Protocol;
  log?: LogTarget;
  debug?: boolean;
  stopping?: AbortSignal;
  timing?: Partial<StreamTiming>;
  clock?: Clock;
  /** Measures requests. */
  metrics?: Pick<ServerMetrics, 'watch'>;
  /** The folder with an agent's test runs; without it, no runs are shown. */
  runsFolder?: ServerDeps['runsFolder'];
  /** The path below which an app serves the routes. */
  base?: string;
  /** Replaces the check of Host and Origin, in an app that checks Host itself. */
  guard?(app: HttpApp): void;
  /** The built page; that of this package unless given. */
  webFolder?: string;
}

export function createApp(options: AppOptions): HttpApp {
  const { server, protocol = 'all', clock = systemClock } = options;
  const rate = createRateLimit({ perMinute: server.rate_limit.turns_per_minute, clock });
  const perUser = userShares(server).streams;
  const uploads = createShare({ perUser, what: 'requests are being sent' });
  const app = createHttpApp({
    trustsProxy: server.trust_proxy,
    ...(options.base && { base: options.base }),
    maxHeaderSize: HEADER_BYTES,
    // The guard rejects it instead, as a problem document.
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    onError: sendError,
    onNotFound: throwNotFound,
    onBrokenRequest: answerBrokenRequest,
    admitBody({ user, method }) {
      // The body of a POST belongs to a turn, so a user over the rate limit cannot send one.
      if (method === 'POST') rate.check(user);
      return uploads.take(user);
    },
  });
  const deps: ServerDeps = {
    runtime: options.runtime,
    server,
    signIn: options.guard ? 'app' : server.auth ? 'token' : 'none',
    state: options.state,
    takeTurn: rate.take,
    streams: createShare({ perUser, what: 'event streams are open' }),
    timing: { keepaliveMs: 15_000, stallMs: STALL_MS, ...options.timing },
    debug: options.debug ?? false,
    stopping: options.stopping ?? new AbortController().signal,
    clock,
    ...(options.runsFolder && { runsFolder: options.runsFolder }),
  };
  options.metrics?.watch(app);
  addRequestLog(app, options.log, clock);
  (options.guard ?? ((app) => addServerGuard(app, server)))(app);
  if (!options.guard) addChallenge(app);
  addIdentity(app, options.identify, { hasAuth: server.auth !== undefined });
  addJsonReader(app, MAX_JSON_BYTES);
  if (protocol !== 'ag-ui') addFormReader(app);
  addHealthRoutes(app, deps);
  addReferenceRoutes(app);
  // The page sends its messages by AG-UI.
  if (server.page && protocol !== 'rest') addPageRoutes(app, deps, options.webFolder);
  addSessionListRoutes(app, deps);
  addSessionRoutes(app, deps);
  addTurnRoutes(app, deps);
  addCopyRoutes(app, deps);
  addEventRoutes(app, deps);
  addAgentRoutes(app, deps);
  for (const add of [addTaskRoutes, addLoginRoutes, addRunRoutes]) add(app, deps);
  if (protocol !== 'ag-ui') for (const add of [addChatRoutes, addSingleCall]) add(app, deps);
  if (protocol === 'all') addOpenaiRoutes(app, deps);
  if (protocol !== 'rest') addAguiRoutes(app, deps);
  if (protocol === 'all') for (const add of [addMcpRoutes, addA2aRoutes, addUiRoutes]) add(app, deps);
  return app;
}

function addServerGuard(app: HttpApp, { host, allowed_hosts, cors_origins: corsOrigins, auth }: ServerConfig): void {
  addGuard(app, { allowedHosts: [host, ...allowed_hosts], corsOrigins, hasAuth: auth !== undefined });
}

const sendError: HttpAppOptions['onError'] = (error, request, reply) => {
  if (request.path.startsWith(OPENAI_PATH)) return sendOpenaiError(error, request, reply);
  const rpc = toParseError(error, request.path);
  if (!rpc) return sendProblem(error, request, reply);
  noteError(toAppError(error), request, reply);
  return reply.send(rpc);
};

const throwNotFound: Hook = ({ base, path, method }, reply) => {
  const methods = findMethods(path);
  if (methods.length === 0 || methods.includes(method))
    throw new AppError('not_found', { detail: `There is no route ${base}${path}. See ${base}/docs for the routes.` });
  reply.header('allow', methods.join(', '));
  throw new AppError('method_not_allowed', { detail: `${path} accepts ${methods.join(' and ')} only.` });
};
