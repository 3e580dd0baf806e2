import type { Health } from '../../schema/server.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';

export function addHealthRoutes(app: HttpApp, { runtime, state }: ServerDeps): void {
  const startedAt = performance.now();

  app.get('/health', async (request, reply): Promise<Health | { status: Health['status'] }> => {
    const status = runtime.isHealthy && state() !== 'stopped' ? 'healthy' : 'unhealthy';
    if (status === 'unhealthy') reply.code(503);
    if (!request.isKnownHost) return { status };
    const ready = state() === 'running' && !runtime.isBroken;
    const [first] = runtime.agents;
    return {
      status,
      ...(first && { agent_name: first.name }),
      agent_ready: ready,
      active_sessions: await runtime.countActive(),
      uptime_seconds: Math.round(performance.now() - startedAt) / 1000,
      agents: runtime.agents.map((agent) => ({ name: agent.name, ready })),
    };
  });

  app.get('/ready', async (_request, reply) => {
    const ready = state() === 'running' && !runtime.isBroken;
    return reply.code(ready ? 200 : 503).send({ ready });
  });
}
