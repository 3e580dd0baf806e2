import type { HttpReply, Post } from './http-post.ts';
import { badReply, unreadableReply } from './model-errors.ts';
import { explainCut, explainNetwork } from './network-errors.ts';
import type { Origin } from './origin.ts';
import { MAX_LINE_CHARS, MAX_REPLY_CHARS } from './sse-lines.ts';
import { createByteReader } from './stream-reader.ts';

export interface GuardedFetchOptions {
  origin: Origin;
  post: Post;
}

/**
 * A fetch for provider packages over our own connections. It follows no redirect (the key would be sent along), refuses
 * web pages, ends replies without an end, and throws AppErrors.
 */
export function createGuardedFetch({ origin, post }: GuardedFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal;
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = { url: new URL(input.toString()), headers, body: String(init.body ?? ''), signal };
    const reply = await post(request).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : explainNetwork(origin, error);
    });
    const body = streamBody(reply, { origin, signal });
    if (reply.status === 200 && /html/i.test(reply.headers['content-type'] ?? '')) {
      reply.close();
      throw unreadableReply(origin, '<html>');
    }
    return new Response(hasBody(reply) ? body : null, { status: reply.status, headers: listHeaders(reply) });
  };
}

function streamBody(
  reply: HttpReply,
  { origin, signal }: { origin: Origin; signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const reader = createByteReader(reply.body, signal);
  const check = createLimit(origin);
  return new ReadableStream({
    async pull(controller) {
      const piece = await reader.next().catch((error: unknown) => {
        throw signal.aborted ? signal.reason : explainCut(origin, error);
      });
      if (piece === undefined) return controller.close();
      const fault = check(piece);
      if (fault) {
        reply.close();
        throw fault;
      }
      controller.enqueue(piece);
    },
    cancel: () => reply.close(),
  });
}

function createLimit(origin: Origin) {
  let received = 0;
  let lineLength = 0;
  return (piece: Uint8Array) => {
    const lastBreak = piece.lastIndexOf(10);
    lineLength = lastBreak === -1 ? lineLength + piece.length : piece.length - lastBreak - 1;
    received += piece.length;
    if (lineLength > MAX_LINE_CHARS) return badReply(origin, 'sent a line that is too long to be part of a reply');
    return received > MAX_REPLY_CHARS ? badReply(origin, 'sent a reply without an end') : undefined;
  };
}

function hasBody({ status }: HttpReply): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

function listHeaders({ headers }: HttpReply): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  );
}
