import http, { type RequestOptions } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { readPairs } from './environment.ts';

export interface SenderOptions {
  /** Address per signal. Signals without an address are dropped. */
  urls: { traces?: string | undefined; metrics?: string | undefined };
  timeoutMs: number;
  /** Called once when sending starts to fail, and again only after a success. */
  onFailure(reason: string): void;
}

/**
 * Posts JSON to an OTLP receiver over a connection that stays open. Never rejects: data that does not arrive is lost.
 */
export interface Sender {
  send(signal: 'traces' | 'metrics', body: string): Promise<void>;
  close(): void;
}

/** If a receiver asks for a longer pause, the batch is dropped so that the queue stays small. */
const MAX_PAUSE_MS = 5_000;
const DEFAULT_PAUSE_MS = 1_000;

interface Reply {
  status: number;
  retryAfter: string | undefined;
}

/** The pause before the same batch is sent again; undefined means that it is dropped. */
function pauseAfter({ status, retryAfter }: Reply): number | undefined {
  return status === 429 || status === 503 ? toPauseMs(retryAfter) : undefined;
}

function toPauseMs(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return DEFAULT_PAUSE_MS;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - systemClock.date().getTime()) / 1000;
  const pauseMs = Math.max(0, seconds * 1000);
  return pauseMs <= MAX_PAUSE_MS ? pauseMs : undefined;
}

export function createSender({ urls, timeoutMs, onFailure }: SenderOptions): Sender {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: 2 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: 2 }),
  };
  const closing = new AbortController();
  const headers = { ...readPairs(process.env.OTEL_EXPORTER_OTLP_HEADERS ?? ''), 'content-type': 'application/json' };
  let isFailing = false;

  const post = (url: string, body: string) =>
    new Promise<Reply>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const isSecure = url.startsWith('https:');
      const agent = agents[isSecure ? 'https:' : 'http:'];
      const options: RequestOptions = { method: 'POST', agent, headers, signal };
      const sent = (isSecure ? https : http).request(url, options, (response) => {
        response.resume();
        const reply = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
        if (reply.status >= 300) resolve(reply);
        response.once('close', () =>
          response.complete ? resolve(reply) : reject(new Error('its answer was cut off')),
        );
      });
      sent.once('error', (error) => reject(signal.aborted ? new Error('it did not answer in time') : error));
      sent.end(body);
    });
  /** Retries once if the receiver is busy. */
  const postTwice = async (url: string, body: string) => {
    const first = await post(url, body);
    const pauseMs = pauseAfter(first);
    if (pauseMs !== undefined) await setTimeout(pauseMs, undefined, { signal: closing.signal });
    const { status } = pauseMs === undefined ? first : await post(url, body);
    if (status >= 300) throw new Error(`it answered ${status}`);
  };
  return {
    async send(signal, body) {
      const url = urls[signal];
      if (url === undefined) return;
      try {
        await postTwice(url, body);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(`${signal} could not be sent to ${url}: ${reasonOf(error)}`);
        isFailing = true;
      }
    },
    close() {
      closing.abort();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
