import type { Agent } from '../schema/agent.ts';
import { readSettings } from './environment.ts';
import type { Pipeline, Receiver } from './pipeline.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { readTraceparent } from './trace-context.ts';
import type { watchTurn as WatchTurn } from './turn-spans.ts';

/** Opens one pipeline per receiver, when the first agent that uses it is prepared. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const settings = readSettings();
  const pipelines = new Map<string, Pipeline>();
  let watch: typeof WatchTurn | undefined;
  const receiverOf = ({ observability }: Agent): Receiver | undefined =>
    observability.otlp_endpoint === undefined
      ? receiverFrom(settings.endpoint, settings.urls)
      : receiverFrom(observability.otlp_endpoint, {});
  const isWatched = ({ observability }: Agent) => observability.enabled && !settings.isDisabled;
  return {
    async prepare(agent) {
      const receiver = receiverOf(agent);
      const key = JSON.stringify(receiver ?? null);
      if (!isWatched(agent) || pipelines.has(key)) return;
      const [{ openPipeline }, { watchTurn }] = await Promise.all([import('./pipeline.ts'), import('./turn-spans.ts')]);
      watch = watchTurn;
      if (!pipelines.has(key)) pipelines.set(key, openPipeline({ ...options, settings, receiver }));
    },
    watchTurn(turn) {
      const pipeline = isWatched(turn.agent)
        ? pipelines.get(JSON.stringify(receiverOf(turn.agent) ?? null))
        : undefined;
      const parent = readTraceparent(turn.traceparent);
      if (pipeline && watch) return watch(pipeline, turn, parent);
      // A program that makes no traces passes its caller's trace on.
      return parent && turn.traceparent ? passOn(turn.traceparent) : undefined;
    },
    async close() {
      await Promise.all([...pipelines.values()].map((pipeline) => pipeline.close()));
    },
  };
}

function passOn(traceparent: string): ReturnType<Telemetry['watchTurn']> {
  return { take: () => {}, traceparent: () => traceparent };
}

function receiverFrom(endpoint: string | undefined, urls: Receiver): Receiver | undefined {
  const base = endpoint?.replace(/\/+$/, '');
  const traces = urls.traces ?? (base && `${base}/v1/traces`);
  const metrics = urls.metrics ?? (base && `${base}/v1/metrics`);
  return traces === undefined && metrics === undefined ? undefined : { traces, metrics };
}
