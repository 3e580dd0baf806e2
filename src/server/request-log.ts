import type { HttpApp } from './http/app.ts';

/** Where log lines go, one JSON object each. */
export interface LogTarget {
  write(line: string): void;
}

/** What is logged for a request that could not be answered, as other servers do. */
const CLIENT_GONE = 499;

/** One line per request, written when its response is over, whoever ended it. Headers and bodies stay out of it. */
export function addRequestLog(app: HttpApp, target: LogTarget | undefined): void {
  if (!target) return;
  app.addHook((request, reply) => {
    const startedAt = performance.now();
    reply.raw.on('close', () => {
      const line = {
        time: new Date().toISOString(),
        request_id: request.id,
        method: request.method,
        path: request.path,
        status: reply.raw.headersSent ? reply.raw.statusCode : CLIENT_GONE,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(!reply.raw.writableFinished && { client_gone: true }),
        ...request.facts,
      };
      target.write(`${JSON.stringify(line)}\n`);
    });
  });
}
