import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import { type Json, parseJson } from '../../schema/json.ts';
import { type Budget, createOutputBudget, type OutputLimits } from './budget.ts';
import { RefusedAnswer } from './failure.ts';
import { createLineFilter, MAX_LINE_BYTES } from './line-filter.ts';
import { describeMissing, findAnswerId, type MessageRepairer, type RequestId } from './repair-message.ts';

const NEWLINE = Buffer.from('\n');

export interface BoundedFetchOptions {
  clock: Clock;
  limits: OutputLimits;
  repairer: MessageRepairer;
  /** Called when messages were dropped because there were too many. */
  onDropped(): void;
}

/**
 * A `fetch` with bounded responses: a body by its total size, an event stream by line and by number of messages. A
 * stream or body that ends without its answer gets an error answer, because the SDK would wait for ever.
 */
export function createBoundedFetch(options: BoundedFetchOptions): FetchLike {
  const output = createOutputBudget(options.clock, options.limits);
  return async (url, init) => {
    const { message, requestId, traceparent } = readRequest(init?.body);
    const headers = new Headers(init?.headers);
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    options.repairer.sent(message);
    const response = await fetch(url, { ...init, headers });
    if (!response.body) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream'))
      return new Response(ReadableStream.from(boundLines(response.body, { ...options, output, requestId })), response);
    const body = boundBytes(response.body);
    if (requestId === undefined || response.status !== 200 || !type.includes('json'))
      return new Response(ReadableStream.from(body), response);
    return new Response(repairBody(await readText(body), options.repairer, requestId), response);
  };
}

async function* boundBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_LINE_BYTES)
      throw new RefusedAnswer(`The answer was larger than ${MAX_LINE_BYTES / 1_000_000} MB and was refused.`);
    yield chunk;
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Repairs the body's messages; a body without the answer gets an error answer. */
function repairBody(text: string, repairer: MessageRepairer, requestId: RequestId): string {
  const value: Json = JSON.parse(text);
  const messages = (Array.isArray(value) ? value : [value]).map((message) => repairer.repair(message, requestId));
  const isAnswered = messages.some((message) => findAnswerId(message) === requestId);
  return JSON.stringify(isAnswered ? messages : [describeMissing(requestId)]);
}

interface LineBounds extends BoundedFetchOptions {
  output: Budget;
  /** Absent = no answer is due on this stream. */
  requestId: RequestId | undefined;
}

async function* boundLines(body: AsyncIterable<Uint8Array>, bounds: LineBounds): AsyncGenerator<Uint8Array> {
  const filter = createLineFilter({ clock: bounds.clock, prefix: 'data:' });
  const events = createEventLines(bounds.repairer, bounds.requestId);
  try {
    for await (const chunk of body) {
      if (!bounds.output.take(chunk.byteLength)) throw new RefusedAnswer('The server sent too much.');
      const before = filter.dropped;
      const lines = filter.push(chunk).flatMap((line) => events.push(line));
      if (filter.dropped > before) bounds.onDropped();
      if (lines.length > 0) yield joinLines(lines);
    }
    yield joinLines([...filter.flush().flatMap((line) => events.push(line)), ...events.flush()]);
  } catch (error) {
    if (!events.isDue || (error instanceof Error && error.name === 'AbortError')) throw error;
  }
  if (events.isDue && bounds.requestId !== undefined)
    yield Buffer.from(`\n\ndata: ${JSON.stringify(describeMissing(bounds.requestId))}\n\n`);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));
}

function readRequest(body: unknown): { message?: unknown; requestId?: RequestId; traceparent?: string } {
  if (typeof body !== 'string') return {};
  const message = JSON.parse(body);
  const { id, method, params } = message;
  const isRequest = method !== undefined && (typeof id === 'string' || typeof id === 'number');
  const traceparent: unknown = params?._meta?.traceparent;
  return { message, ...(isRequest && { requestId: id }), ...(typeof traceparent === 'string' && { traceparent }) };
}

const DATA = Buffer.from('data:');
const EVENT_ID = Buffer.from('id:');

/** The events of one stream, line by line, with repaired answers. */
interface EventLines {
  /** Returns the lines to forward for a received line; `data` lines wait for the end of their event. */
  push(line: Buffer): Buffer[];
  /** Returns the lines of an event without an end. */
  flush(): Buffer[];
  /** False once the answer was received, or if it may come on another stream. */
  readonly isDue: boolean;
}

function createEventLines(repairer: MessageRepairer, requestId: RequestId | undefined): EventLines {
  let data: Buffer[] = [];
  let size = 0;
  let isDue = requestId !== undefined;

  const finish = (): Buffer[] => {
    const lines = data;
    const isWhole = size <= MAX_LINE_BYTES;
    data = [];
    size = 0;
    if (!isWhole || lines.length === 0) return [];
    const message = parseData(lines);
    if (message === undefined) return lines;
    const repaired = repairer.repair(message, requestId);
    if (requestId !== undefined && findAnswerId(repaired) === requestId) isDue = false;
    return repaired === message ? lines : [Buffer.from(`data: ${JSON.stringify(repaired)}`)];
  };
  return {
    push(line) {
      if (startsWith(line, DATA)) {
        size += line.length;
        if (size <= MAX_LINE_BYTES) data.push(line);
        return [];
      }
      // The SDK resumes a stream whose events have ids, and waits for the answer there.
      if (startsWith(line, EVENT_ID)) isDue = false;
      return isBlank(line) ? [...finish(), line] : [line];
    },
    flush: () => [...finish(), Buffer.from('')],
    get isDue() {
      return isDue;
    },
  };
}

function startsWith(line: Buffer, prefix: Buffer): boolean {
  return line.subarray(0, prefix.length).equals(prefix);
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === 13);
}

function parseData(lines: readonly Buffer[]): Json | undefined {
  return parseJson(lines.map((line) => line.subarray(DATA.length).toString('utf8')).join('\n'));
}
