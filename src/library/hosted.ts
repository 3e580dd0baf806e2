import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { createApp } from '../server/app.ts';
import type { HttpApp } from '../server/http/app.ts';
import { NodeSink, toNodeSource } from '../server/http/node-exchange.ts';
import type { Identify } from '../server/identity.ts';
import { sharedServer } from '../server/shared-server.ts';
import { addOriginGuard } from './origin-guard.ts';
import { toWebSource, WebSink } from './web-exchange.ts';

export interface HostedOptions {
  identify: Identify;
  basePath: string;
  origins: readonly string[];
  log(text: string): void;
  stopping: AbortSignal;
}

export interface Hosted {
  web(request: Request): Promise<Response>;
  node(request: IncomingMessage, response: ServerResponse): void;
}

/** All routes of a runtime without a port: an app of its own accepts the requests. */
export function openHosted(runtime: Runtime, { identify, basePath, origins, log, stopping }: HostedOptions): Hosted {
  const app = createApp({
    runtime,
    server: hostedServer(sharedServer(runtime.agents)),
    state: () => 'running',
    identify,
    stopping,
    base: basePath,
    guard(app) {
      addFailureLog(app, log);
      addOriginGuard(app, origins);
    },
  });
  return {
    web(request) {
      if (typeof request?.headers?.get !== 'function') throw new TypeError(NO_WEB);
      const sink = new WebSink(request);
      app.answer(toWebSource(request), sink);
      return sink.response;
    },
    node(request, response) {
      if (typeof response?.writeHead !== 'function' || request.httpVersionMajor > 1) throw new TypeError(NO_NODE);
      app.answer(toNodeSource(request), new NodeSink(response));
    },
  };
}

const NO_WEB = 'createHandler: this is no Request of the web. Mount `handle.node`; Hono has `context.req.raw`.';
const NO_NODE = '`handle.node` takes objects of Node and HTTP/1.1: in Fastify `raw`. A Request is for `handle`.';

/** Users of an app are authenticated by it: none of them is the developer at this machine. The page has no place in it. */
function hostedServer(server: ServerConfig): ServerConfig {
  return { ...server, page: false, auth: server.auth ?? { jwt: { issuer: 'holodeck:app', audience: 'holodeck:app' } } };
}

function addFailureLog(app: HttpApp, log: HostedOptions['log']): void {
  app.addHook(({ facts, method, base, path, id }, { sink }) => {
    sink.onClose(() => facts.cause && log(`HoloDeck: ${method} ${base}${path} failed (${id}): ${facts.cause}`));
  });
}
