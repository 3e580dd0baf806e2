import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../clock.ts';
import { type Budget, createOutputBudget, type OutputLimits } from './budget.ts';
import { createLineFilter, isAnswer, MAX_LINE_BYTES } from './line-filter.ts';

const NEWLINE = Buffer.from('\n');
const EVENT_ID = Buffer.from('id:');
/** The code of the error that stands for an answer that never came. */
export const NO_ANSWER_CODE = -32_990;

export interface BoundedFetchOptions {
  clock: Clock;
  limits: OutputLimits;
  /** Messages were thrown away because there were too many. */
  onDropped(): void;
}

/**
 * `fetch` whose answers have a bounded size: a body as a whole, an event stream by line and by number of messages.
 * A stream that ends without its answer gets one that says so: the SDK would wait for ever.
 */
export function createBoundedFetch(options: BoundedFetchOptions): FetchLike {
  const output = createOutputBudget(options.clock, options.limits);
  return async (url, init) => {
    const { requestId, traceparent } = readRequest(init?.body);
    const headers = new Headers(init?.headers);
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    const response = await fetch(url, { ...init, headers });
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = isStream ? boundLines(response.body, { ...options, output, requestId }) : boundBytes(response.body);
    return new Response(ReadableStream.from(body), response);
  };
}

async function* boundBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_LINE_BYTES)
      throw new Error(`The answer was larger than ${MAX_LINE_BYTES / 1_000_000} MB and was refused.`);
    yield chunk;
  }
}

interface LineBounds extends BoundedFetchOptions {
  output: Budget;
  /** Absent = no answer is due on this stream. */
  requestId: string | number | undefined;
}

async function* boundLines(body: AsyncIterable<Uint8Array>, bounds: LineBounds): AsyncGenerator<Uint8Array> {
  const filter = createLineFilter({ clock: bounds.clock, prefix: 'data:' });
  let isDue = bounds.requestId !== undefined;
  try {
    for await (const chunk of body) {
      if (!bounds.output.take(chunk.byteLength)) throw new Error('The server sent too much.');
      const before = filter.dropped;
      const lines = filter.push(chunk);
      if (filter.dropped > before) bounds.onDropped();
      // A stream whose events have ids is taken up again by the SDK, which then waits for the answer there.
      isDue &&= !lines.some((line) => isAnswer(line) || line.subarray(0, EVENT_ID.length).equals(EVENT_ID));
      if (lines.length > 0) yield Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));
    }
    yield* filter.flush();
  } catch (error) {
    if (!isDue || (error instanceof Error && error.name === 'AbortError')) throw error;
  }
  if (isDue) yield Buffer.from(`\n\ndata: ${JSON.stringify(describeMissing(bounds.requestId))}\n\n`);
}

function describeMissing(id: string | number | undefined): object {
  return { jsonrpc: '2.0', id, error: { code: NO_ANSWER_CODE, message: 'broke off without an answer' } };
}

function readRequest(body: unknown): { requestId?: string | number; traceparent?: string } {
  if (typeof body !== 'string') return {};
  const { id, method, params } = JSON.parse(body);
  const isRequest = method !== undefined && (typeof id === 'string' || typeof id === 'number');
  const traceparent: unknown = params?._meta?.traceparent;
  return { ...(isRequest && { requestId: id }), ...(typeof traceparent === 'string' && { traceparent }) };
}
