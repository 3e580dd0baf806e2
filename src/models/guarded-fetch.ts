import { badReply, unreadableReply } from './model-errors.ts';
import type { Origin } from './origin.ts';
import { MAX_LINE_CHARS, MAX_REPLY_CHARS } from './sse-lines.ts';

/**
 * A fetch for provider packages: follows no redirect (the key would go along), refuses web pages, and ends replies
 * that have no end.
 */
export function createGuardedFetch(origin: Origin, onActivity: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    onActivity();
    if (!response.ok || !response.body) return response;
    if (/html/i.test(response.headers.get('content-type') ?? ''))
      throw unreadableReply(origin, await readStart(response.body));
    return new Response(response.body.pipeThrough(createLimit(origin, onActivity)), response);
  };
}

function createLimit(origin: Origin, onActivity: () => void): TransformStream<Uint8Array, Uint8Array> {
  let received = 0;
  let lineLength = 0;
  return new TransformStream({
    transform(piece, controller) {
      onActivity();
      const lastBreak = piece.lastIndexOf(10);
      lineLength = lastBreak === -1 ? lineLength + piece.length : piece.length - lastBreak - 1;
      received += piece.length;
      if (lineLength > MAX_LINE_CHARS) throw badReply(origin, 'sent a line that is too long to be part of a reply');
      if (received > MAX_REPLY_CHARS) throw badReply(origin, 'did not come to an end with its reply');
      controller.enqueue(piece);
    },
  });
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const { value } = await reader.read();
  reader.cancel().catch(() => {});
  return new TextDecoder().decode(value);
}
