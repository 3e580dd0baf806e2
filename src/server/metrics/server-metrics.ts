import { createServer, type Server } from 'node:http';
import { type Clock, systemClock } from '../../clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EndedTurn } from '../../runtime/turn/turn.ts';
import type { HttpApp } from '../http/app.ts';
import { createHostCheck } from '../http/guard.ts';
import { cannotListen } from '../http/listen.ts';
import { findRoute } from '../route-table.ts';
import { createRegistry } from './registry.ts';

/** Measurements of one server process. Names follow OpenTelemetry's conventions, written as Prometheus writes them. */
export interface ServerMetrics {
  /** Counts every request of the app. */
  watch(app: HttpApp): void;
  turnEnded(turn: EndedTurn): void;
  /** Adds the measurements that are read from the runtime. */
  watchRuntime(runtime: Runtime): void;
  render(): string;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createServerMetrics(clock: Clock = systemClock): ServerMetrics {
  const registry = createRegistry();
  const requests = registry.histogram(
    'http_server_request_duration_seconds',
    'Duration of HTTP requests, streams included.',
    SECONDS,
  );
  const turns = registry.histogram('holodeck_turn_duration_seconds', 'Duration of turns by agent and status.', SECONDS);
  const tokens = registry.counter('gen_ai_client_token_usage_total', 'Tokens of model calls by kind.');
  return {
    watch(app) {
      app.addHook((request, reply) => {
        const startedAt = clock.now();
        reply.raw.on('close', () => {
          const labels = {
            http_request_method: request.method,
            http_route: findRoute(request.path) ?? 'none',
            http_response_status_code: reply.raw.headersSent ? reply.raw.statusCode : 499,
          };
          requests.record(labels, (clock.now() - startedAt) / 1000);
        });
      });
    },
    turnEnded({ agent, status, ms, usage }) {
      turns.record({ agent, status }, ms / 1000);
      if (!usage) return;
      tokens.add({ agent, gen_ai_token_type: 'input' }, usage.prompt_tokens);
      tokens.add({ agent, gen_ai_token_type: 'output' }, usage.completion_tokens);
    },
    watchRuntime(runtime) {
      registry.gauge('holodeck_turns_active', 'Turns that run in this process.', () => runtime.activeTurns);
      const isUp = () => Number(runtime.findProblem() === undefined);
      registry.gauge('holodeck_store_up', 'Whether turns can be stored: 1 or 0.', isUp);
      const isLive = () => Number(runtime.describeStore().bus === 'live');
      registry.gauge('holodeck_bus_live', 'Whether notes of other servers arrive: 1 or 0.', isLive);
    },
    render: registry.render,
  };
}

/** Serves the measurements on a port of their own, which is never the port of the agents. */
export async function serveMetrics(
  metrics: ServerMetrics,
  { host, port, allowedHosts }: { host: string; port: number; allowedHosts: readonly string[] },
): Promise<Server> {
  const isAllowed = createHostCheck([host, ...allowedHosts]);
  const server = createServer((request, response) => {
    if (!isAllowed(request.headers.host ?? '')) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
      return void response.end('This host name is not allowed. Add it to server.allowed_hosts.\n');
    }
    const isKnown = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isKnown ? metrics.render() : 'GET /metrics\n');
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => reject(cannotListen(host, port, cause));
    server.once('error', fail).listen({ host, port }, () => resolve());
  });
  return server;
}
