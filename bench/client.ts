import http, { type ClientRequest } from 'node:http';
import type { Contestant, Message } from './contestant.ts';
import { FIRST, LAST, type Scenario } from './scenario.ts';

export interface Timing {
  firstMs: number;
  totalMs: number;
  bytes: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 5_000 });

/** Sends a request and reads its whole answer. An answer without the first or last token is an error. */
export function ask(
  contestant: Contestant,
  scenario: Scenario,
  onFirst?: (request: ClientRequest) => void,
  earlier: readonly Message[] = [],
): Promise<Timing> {
  const body = JSON.stringify(contestant.body(scenario, earlier));
  const { port, path } = contestant;
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    let firstMs = 0;
    let text = '';
    const request = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
      response.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
        if (firstMs > 0 || !text.includes(FIRST)) return;
        firstMs = performance.now() - startedAt;
        onFirst?.(request);
      });
      response.once('error', reject).once('end', () => {
        if (response.statusCode !== 200 || !text.includes(LAST))
          reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`));
        else resolve({ firstMs, totalMs: performance.now() - startedAt, bytes: text.length });
      });
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      // A server may close an idle connection at the moment of the next request.
      const isIdleEnd = request.reusedSocket && error.code === 'ECONNRESET' && firstMs === 0;
      if (isIdleEnd) resolve(ask(contestant, scenario, onFirst, earlier));
      else reject(error);
    });
    request.end(body);
  });
}

/** Keeps `connections` connections busy for `ms`: each asks again as soon as it is answered. */
export async function askAll(
  contestant: Contestant,
  scenario: Scenario,
  { connections, ms }: { connections: number; ms: number },
): Promise<Timing[]> {
  const timings: Timing[] = [];
  const end = performance.now() + ms;
  const loop = async () => {
    while (performance.now() < end) timings.push(await ask(contestant, scenario));
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return timings;
}

/** True if the server asked to come back later. Anything else that is not an answer is a fault. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('429 ');
}

export async function getJson(port: number, path: string): Promise<Record<string, number>> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<Record<string, number>>; // the mock's numbers
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
