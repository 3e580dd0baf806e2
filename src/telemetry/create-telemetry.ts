import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { createLineMetricExporter, createLineSpanExporter } from './line-exporters.ts';
import { createMeters } from './meters.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { createTraceIds } from './trace-ids.ts';
import { watchTurn } from './turn-spans.ts';

const SEND_TIMEOUT_MS = 3000;
const METRICS_EVERY_MS = 60_000;

/** Traces and metrics to an OTLP/HTTP receiver, or as lines of text. */
export async function createTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { spans, metrics } = await openExporters(options);
  const resource = resourceFromAttributes({ 'service.name': 'holodeck', 'service.version': options.version });
  const ids = createTraceIds(new RandomIdGenerator());
  const tracers = new TracerProvider({ resource, idGenerator: ids, spanProcessors: [spans] });
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: METRICS_EVERY_MS });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const deps = {
    tracer: tracers.getTracer('holodeck', options.version),
    meters: createMeters(meters.getMeter('holodeck', options.version)),
    ids,
  };
  return {
    watchTurn: (turn) => (turn.agent.observability.enabled ? watchTurn(deps, turn) : undefined),
    async close() {
      const sent = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, SEND_TIMEOUT_MS).unref())]);
    },
  };
}

interface Exporters {
  spans: SpanProcessor;
  metrics: PushMetricExporter;
}

async function openExporters({ endpoint, write }: TelemetryOptions): Promise<Exporters> {
  if (!endpoint) {
    const exporter = createLineSpanExporter(write);
    return { spans: new SimpleSpanProcessor({ exporter }), metrics: createLineMetricExporter(write) };
  }
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
  const at = (signal: string) => ({
    url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`,
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const exporter = new OTLPTraceExporter(at('traces'));
  return { spans: new BatchSpanProcessor({ exporter }), metrics: new OTLPMetricExporter(at('metrics')) };
}
