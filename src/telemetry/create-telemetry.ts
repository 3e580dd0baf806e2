import type { Agent } from '../schema/agent.ts';
import type { Pipeline } from './pipeline.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import type { watchTurn as WatchTurn } from './turn-spans.ts';

/** One pipeline for each receiver that an agent names, opened and loaded when the first agent asks for it. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const pipelines = new Map<string | undefined, Pipeline>();
  let watch: typeof WatchTurn | undefined;
  return {
    async prepare(agent) {
      const endpoint = endpointOf(agent);
      if (!agent.observability.enabled || pipelines.has(endpoint)) return;
      const [{ openPipeline }, { watchTurn }] = await Promise.all([import('./pipeline.ts'), import('./turn-spans.ts')]);
      watch = watchTurn;
      if (!pipelines.has(endpoint)) pipelines.set(endpoint, openPipeline({ ...options, endpoint }));
    },
    watchTurn(turn) {
      const pipeline = turn.agent.observability.enabled ? pipelines.get(endpointOf(turn.agent)) : undefined;
      return pipeline && watch?.(pipeline, turn);
    },
    async close() {
      await Promise.all([...pipelines.values()].map((pipeline) => pipeline.close()));
    },
  };
}

function endpointOf({ observability }: Agent): string | undefined {
  return observability.otlp_endpoint ?? (process.env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined);
}
