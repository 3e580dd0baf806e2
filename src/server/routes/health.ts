import type { Health } from '../../schema/server.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';

/** Both probes use the same check: a server that cannot store a turn is neither healthy nor ready. */
export function addHealthRoutes(app: HttpApp, { runtime, state, clock }: ServerDeps): void {
  const startedAt = clock.now();

  app.get('/health', async (request, reply): Promise<Health | { status: Health['status'] }> => {
    const reason = runtime.findProblem();
    const status = reason === undefined && state() !== 'stopped' ? 'healthy' : 'unhealthy';
    if (status === 'unhealthy') reply.code(503);
    if (!request.isKnownHost) return { status };
    const ready = state() === 'running' && reason === undefined;
    const [first] = runtime.agents;
    return {
      status,
      ...(reason !== undefined && { reason }),
      ...(first && { agent_name: first.name }),
      agent_ready: ready,
      active_sessions: await runtime.countActive(),
      store: runtime.describeStore(),
      uptime_seconds: Math.round(clock.now() - startedAt) / 1000,
      agents: runtime.agents.map((agent) => ({ name: agent.name, ready })),
    };
  });

  app.get('/ready', async (request, reply) => {
    const reason = runtime.findProblem();
    const ready = state() === 'running' && reason === undefined;
    reply.code(ready ? 200 : 503);
    return { ready, ...(reason !== undefined && request.isKnownHost && { reason }) };
  });
}
