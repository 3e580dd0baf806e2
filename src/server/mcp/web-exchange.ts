import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { dropWhenStalled, untilRead } from '../stream/event-output.ts';

/** A request in the web's shape, without its body, which is already read. A client that leaves aborts it. */
export function toWebRequest(request: HttpRequest, reply: HttpReply): Request {
  const left = new AbortController();
  if (reply.raw.destroyed) left.abort();
  reply.raw.once('close', () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  return new Request(new URL(request.path, 'http://localhost'), {
    method: request.method,
    headers,
    signal: left.signal,
  });
}

/** Sends a response of the web's shape with the headers that every response has. A client that stops reading is dropped. */
export async function sendWebResponse(reply: HttpReply, response: Response, stallMs: number): Promise<void> {
  const { raw } = reply;
  raw.writeHead(response.status, { ...reply.hijack(), ...Object.fromEntries(response.headers) });
  for await (const chunk of response.body ?? []) {
    if (raw.destroyed) break;
    raw.write(chunk);
    await untilRead(raw, stallMs);
  }
  dropWhenStalled(raw, stallMs);
  raw.end();
}
