import type { Values } from './otlp.ts';
import { readSampler, type Sampler } from './sampler.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings from the OpenTelemetry environment variables. */
export interface TelemetrySettings {
  isDisabled: boolean;
  sendsTraces: boolean;
  sendsMetrics: boolean;
  /** Base address of the receiver, used if agent.yaml names none. */
  endpoint: string | undefined;
  /** Complete addresses; they take precedence over any base address. */
  urls: { traces: string | undefined; metrics: string | undefined };
  resource: Values;
  sampler: Sampler;
}

/** Reads the variables once at the start. Empty variables count as absent, as OpenTelemetry specifies. */
export function readSettings(env: Environment = process.env): TelemetrySettings {
  const read = (name: string) => env[name]?.trim() || undefined;
  const isNone = (name: string) => read(name)?.toLowerCase() === 'none';
  const attributes = readPairs(read('OTEL_RESOURCE_ATTRIBUTES') ?? '');
  const serviceName = read('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'holodeck';
  return {
    isDisabled: read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true',
    sendsTraces: !isNone('OTEL_TRACES_EXPORTER'),
    sendsMetrics: !isNone('OTEL_METRICS_EXPORTER'),
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    urls: {
      traces: read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
      metrics: read('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'),
    },
    resource: { ...attributes, 'service.name': serviceName },
    sampler: readSampler(read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')),
  };
}

/** Reads `name=value,name=value` with percent escapes. Entries without a name are left out. */
export function readPairs(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    return name === '' ? [] : [[name, decode(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
