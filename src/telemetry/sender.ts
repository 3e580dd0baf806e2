import http, { type RequestOptions } from 'node:http';
import https from 'node:https';

export interface SenderOptions {
  /** Base address of the receiver. */
  endpoint: string;
  timeoutMs: number;
  /** Told once when nothing arrives any more, and again only after something has. */
  onFailure(reason: string): void;
}

/** Posts JSON to an OTLP receiver over a connection that stays open. Never rejects: what does not arrive is lost. */
export interface Sender {
  send(signal: 'traces' | 'metrics', body: string): Promise<void>;
  close(): void;
}

export function createSender({ endpoint, timeoutMs, onFailure }: SenderOptions): Sender {
  const base = endpoint.replace(/\/+$/, '');
  const { request, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const headers = { ...headersFromEnvironment(), 'content-type': 'application/json' };
  let isFailing = false;

  const post = (url: string, body: string) =>
    new Promise<void>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const options: RequestOptions = { method: 'POST', agent, headers, signal };
      const sent = request(url, options, (response) => {
        response.resume();
        const { statusCode = 0 } = response;
        if (statusCode >= 300) reject(new Error(`it answered ${statusCode}`));
        response.once('close', () => (response.complete ? resolve() : reject(new Error('its answer broke off'))));
      });
      sent.once('error', (error) => reject(signal.aborted ? new Error('it did not answer in time') : error));
      sent.end(body);
    });
  return {
    async send(signal, body) {
      const url = `${base}/v1/${signal}`;
      try {
        await post(url, body);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(`${signal} could not be sent to ${url}: ${reasonOf(error)}`);
        isFailing = true;
      }
    },
    close: () => agent.destroy(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

/** `name=value,name=value`, as OpenTelemetry writes it; a receiver's key usually comes this way. */
function headersFromEnvironment(): Record<string, string> {
  const pairs = (process.env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]] : [];
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
