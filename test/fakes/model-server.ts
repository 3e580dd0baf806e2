import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';

interface FakeRequest {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: unknown;
  /** Distinguishes connections. */
  remotePort: number | undefined;
}

/** Answers a request, well or badly. */
export type FakeReply = (response: http.ServerResponse) => void | Promise<void>;

export interface FakeModelServer extends AsyncDisposable {
  /** The URL without a path. */
  url: string;
  requests: FakeRequest[];
}

/** A provider on a loopback port: plays a list of replies and repeats the last one. */
export async function startModelServer(
  replies: readonly FakeReply[],
  tls?: { key: string; cert: string },
): Promise<FakeModelServer> {
  const requests: FakeRequest[] = [];
  const listener: http.RequestListener = async (request, response) => {
    response.on('error', () => {});
    const { url: path = '', headers, socket } = request;
    requests.push({ path, headers, body: JSON.parse(await readBody(request)), remotePort: socket.remotePort });
    await replies[Math.min(requests.length, replies.length) - 1]?.(response);
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString() || 'null';
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };

/** Sends the pieces separately, so that each arrives as its own read. */
export function sendPieces(
  pieces: readonly (string | Uint8Array)[],
  headers: http.OutgoingHttpHeaders = EVENT_STREAM,
): FakeReply {
  return async (response) => {
    response.writeHead(200, headers);
    for (const piece of pieces) {
      await new Promise((resolve) => response.write(piece, resolve));
      await nextTick();
      await nextTick();
    }
    response.end();
  };
}

export function sendStatus(
  status: number,
  body: string | Uint8Array = '',
  headers: http.OutgoingHttpHeaders = {},
): FakeReply {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** The data lines of an event stream. */
export function writeEvents(...events: unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}
