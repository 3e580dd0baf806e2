import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Adapts a web-standard handler to node:http; a caller that leaves aborts the request. */
export function toNodeListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    const abort = new AbortController();
    outgoing.on('close', () => abort.abort());
    try {
      await send(await handle(toRequest(incoming, abort.signal)), outgoing);
    } catch {
      // The caller has gone, or did not send a valid request.
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    }
  };
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
  else outgoing.end();
}
