import type { Agent } from '../schema/agent.ts';
import type { Pipeline } from './pipeline.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** One pipeline for each receiver that an agent names, opened and loaded when the first agent asks for it. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const pipelines = new Map<string | undefined, Pipeline>();
  let watching: typeof import('./turn-spans.ts') | undefined;
  return {
    async prepare(agent) {
      const endpoint = endpointOf(agent);
      if (!agent.observability.enabled || pipelines.has(endpoint)) return;
      const [{ openPipeline }, spans] = await Promise.all([import('./pipeline.ts'), import('./turn-spans.ts')]);
      watching = spans;
      if (!pipelines.has(endpoint)) pipelines.set(endpoint, openPipeline({ ...options, endpoint }));
    },
    watchTurn(turn) {
      const pipeline = turn.agent.observability.enabled ? pipelines.get(endpointOf(turn.agent)) : undefined;
      return pipeline && watching?.watchTurn(pipeline, turn);
    },
    async close() {
      await Promise.all([...pipelines.values()].map((pipeline) => pipeline.close()));
    },
  };
}

function endpointOf({ observability }: Agent): string | undefined {
  return observability.otlp_endpoint ?? (process.env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined);
}
