import { createServer, type Server } from 'node:http';
import { type Clock, systemClock } from '../../clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EndedTurn } from '../../runtime/turn/turn.ts';
import type { HttpApp } from '../http/app.ts';
import { createHostCheck } from '../http/guard.ts';
import { cannotListen } from '../http/listen.ts';
import { findRoute } from '../route-table.ts';

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
        reply.sink.onClose(() => {
          const labels = {
            http_request_method: request.method,
            http_route: findRoute(request.path) ?? 'none',
            http_response_status_code: reply.sink.sentStatus ?? 499,
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

/** Label names and values; never a user, a conversation or an argument. */
type Labels = Readonly<Record<string, string | number>>;

interface Counter {
  add(labels: Labels, count?: number): void;
}

interface Histogram {
  record(labels: Labels, value: number): void;
}

/** Measurements since the start, as text in the format of Prometheus. */
interface Registry {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Read when the text is made. */
  gauge(name: string, help: string, read: () => number): void;
  render(): string;
}

function createRegistry(): Registry {
  const parts: (() => string[])[] = [];
  const head = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  return {
    counter(name, help) {
      const counts = new Map<string, number>();
      parts.push(() => [
        ...head(name, help, 'counter'),
        ...[...counts].map(([labels, count]) => `${name}${labels} ${count}`),
      ]);
      return {
        add(labels, count = 1) {
          const key = formatLabels(labels);
          counts.set(key, (counts.get(key) ?? 0) + count);
        },
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, { labels: Labels; buckets: number[]; sum: number; count: number }>();
      parts.push(() => [
        ...head(name, help, 'histogram'),
        ...[...series.values()].flatMap(({ labels, buckets, sum, count }) => [
          ...bounds.map((bound, index) => `${name}_bucket${formatLabels({ ...labels, le: bound })} ${buckets[index]}`),
          `${name}_bucket${formatLabels({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${formatLabels(labels)} ${sum}`,
          `${name}_count${formatLabels(labels)} ${count}`,
        ]),
      ]);
      return {
        record(labels, value) {
          const key = formatLabels(labels);
          const one = series.get(key) ?? { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 };
          series.set(key, one);
          one.count++;
          one.sum += value;
          for (const [index, bound] of bounds.entries())
            if (value <= bound) one.buckets[index] = (one.buckets[index] ?? 0) + 1;
        },
      };
    },
    gauge(name, help, read) {
      parts.push(() => [...head(name, help, 'gauge'), `${name} ${read()}`]);
    },
    render: () => `${parts.flatMap((part) => part()).join('\n')}\n`,
  };
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
