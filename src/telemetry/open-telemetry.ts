import type { Agent } from '../schema/agent.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/** Opened only where an agent asks for it, because loading it takes longer than the rest of a start. */
export async function openTelemetry(
  agents: readonly Agent[],
  options: Omit<TelemetryOptions, 'endpoint'>,
): Promise<Telemetry | undefined> {
  const watched = agents.find((agent) => agent.observability.enabled);
  if (!watched) return undefined;
  const endpoint = watched.observability.otlp_endpoint ?? process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return (await import('./create-telemetry.ts')).createTelemetry({ ...options, endpoint });
}
