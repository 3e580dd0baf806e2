import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { AppError } from '../errors.ts';
import { newUlid } from '../schema/ids.ts';
import type { ServerDeps } from './deps.ts';
import { addGuard, type GuardOptions } from './guard.ts';
import { sendProblem } from './problem.ts';
import { addChatRoutes } from './routes/chat.ts';
import { addHealthRoutes } from './routes/health.ts';

const MAX_BODY_BYTES = 28 * 1024 * 1024;

export interface AppOptions extends ServerDeps, GuardOptions {
  /** Where log lines go; none = no log. */
  log?: { write(line: string): void };
  debug?: boolean;
}

export function createApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    logger: options.log ? { level: options.debug ? 'debug' : 'info', stream: options.log } : false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newUlid,
    routerOptions: { maxParamLength: 200 },
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    sendProblem(
      new AppError('not_found', { detail: `There is nothing at ${request.method} ${pathOf(request)}.` }),
      request,
      reply,
    );
  });
  addGuard(app, options);
  addHealthRoutes(app, options);
  addChatRoutes(app, options);
  return app;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}
