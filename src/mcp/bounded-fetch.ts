import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../clock.ts';
import { createLineFilter, MAX_LINE_BYTES } from './line-filter.ts';

const NEWLINE = Buffer.from('\n');

/** `fetch` whose answers have a bounded size: a body as a whole, an event stream by line and by number of messages. */
export function createBoundedFetch(clock: Clock, onDropped: () => void, send: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = response.body.pipeThrough(isStream ? boundLines(clock, onDropped) : boundBytes());
    return new Response(body, response);
  };
}

function boundBytes(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= MAX_LINE_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`The answer was larger than ${MAX_LINE_BYTES / 1_000_000} MB and was refused.`));
    },
  });
}

function boundLines(clock: Clock, onDropped: () => void): TransformStream<Uint8Array, Uint8Array> {
  const filter = createLineFilter({ clock, prefix: 'data:' });
  return new TransformStream({
    transform(chunk, controller) {
      const before = filter.dropped;
      const lines = filter.push(chunk);
      if (lines.length > 0) controller.enqueue(Buffer.concat(lines.flatMap((line) => [line, NEWLINE])));
      if (filter.dropped > before) onDropped();
    },
    flush(controller) {
      for (const line of filter.flush()) controller.enqueue(line);
    },
  });
}
