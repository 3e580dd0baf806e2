import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const KEEPALIVE_MS = 15_000;

export interface SseFrame {
  event: string;
  data: unknown;
}

/** An open event stream. Writing waits when the client reads slower than we tell. */
export interface SseStream {
  write(id: string, frames: readonly SseFrame[]): Promise<void>;
  end(): void;
  /** Resolves when the client is gone or the stream has ended. */
  readonly closed: Promise<void>;
}

export function openSse(reply: FastifyReply): SseStream {
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders), // fastify types them as its own, wider record
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  const keepalive = setInterval(() => response.write(': keepalive\n\n'), KEEPALIVE_MS);
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  closed.then(() => clearInterval(keepalive));
  return {
    closed,
    async write(id, frames) {
      const text = frames
        .map((frame) => `id: ${id}\nevent: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`)
        .join('');
      if (text !== '' && !response.write(text)) await drained(response, closed);
    },
    end: () => response.end(),
  };
}

async function drained(response: ServerResponse, closed: Promise<void>): Promise<void> {
  await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
}
