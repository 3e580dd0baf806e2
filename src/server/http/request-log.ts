import type { Clock } from '../../clock.ts';
import type { HttpApp } from './app.ts';

/** Receives log lines, one JSON object each. */
export interface LogTarget {
  write(line: string): void;
}

/** The status logged for a request that could not be answered, as in nginx. */
const CLIENT_GONE = 499;

/**
 * Writes one line per request when its response is over, whichever side ended it. Headers and bodies are never logged.
 */
export function addRequestLog(app: HttpApp, target: LogTarget | undefined, clock: Clock): void {
  if (!target) return;
  app.addHook((request, reply) => {
    const startedAt = clock.now();
    reply.sink.onClose(() => {
      const line = {
        time: clock.date().toISOString(),
        request_id: request.id,
        method: request.method,
        path: request.path,
        status: reply.sink.sentStatus ?? CLIENT_GONE,
        latency_ms: Math.round((clock.now() - startedAt) * 10) / 10,
        ...(!reply.sink.isFinished && { client_gone: true }),
        ...request.facts,
      };
      target.write(`${JSON.stringify(line)}\n`);
    });
  });
}
