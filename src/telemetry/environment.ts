import type { Values } from './otlp.ts';

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

/** Decides whether a trace is sent. `parent` is the caller's decision, if there is a caller. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** Returns the OpenTelemetry sampler of this name. An unknown name means the default, parentbased_always_on. */
export function readSampler(name: string | undefined, argument: string | undefined): Sampler {
  const root = rootSampler(name?.replace(/^parentbased_/, ''), argument);
  const followsParent = name === undefined || name.startsWith('parentbased_') || !isKnown(name);
  return followsParent ? (traceId, parent) => parent ?? root(traceId) : (traceId) => root(traceId);
}

function isKnown(name: string): boolean {
  return ['always_on', 'always_off', 'traceidratio'].includes(name);
}

function rootSampler(name: string | undefined, argument: string | undefined): (traceId: string) => boolean {
  if (name === 'always_off') return () => false;
  if (name !== 'traceidratio') return () => true;
  const ratio = toRatio(argument);
  // The last bits of a trace id are random; 52 of them fit into a number exactly.
  const limit = ratio * 2 ** 52;
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < limit;
}

function toRatio(argument: string | undefined): number {
  const ratio = Number(argument ?? 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
