import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { createTextReader } from './stream-reader.ts';

interface PostOptions {
  url: URL;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Decompressed. */
  body: Readable;
  /** Returns the connection for reuse once the rest of the reply has arrived. */
  release(): void;
  /** Closes the connection. */
  close(): void;
}

export type Post = (options: PostOptions) => Promise<HttpReply>;

const RELEASE_MS = 1_000;
const MAX_ERROR_CHARS = 20_000;
const ERROR_WAIT_MS = 1_000;

/** Posts over connections that are kept open and reused. Rejects with the socket's error. */
export function createPost(): Post {
  const senders = new Map<string, Sender>();
  const send = (options: PostOptions) => {
    const { protocol } = options.url;
    const sender = senders.get(protocol) ?? openSender(protocol);
    senders.set(protocol, sender);
    return sendOnce(options, sender);
  };

  return async (options) => {
    try {
      return await send(options);
    } catch (error) {
      if (error instanceof StaleConnectionError) return send(options);
      throw error;
    }
  };
}

/** The server closed a kept connection just as it was reused. Nothing was read, so the request is sent once more. */
class StaleConnectionError extends Error {}

type Sender = { module: Pick<typeof import('node:http'), 'request'>; agent: Agent };

/** Loads the module on demand: importing node:http also loads fetch, which takes most of the start-up time. */
function openSender(protocol: string): Sender {
  const module = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  return { module, agent: new module.Agent({ keepAlive: true }) };
}

function sendOnce({ url, headers, body, signal }: PostOptions, { module, agent }: Sender): Promise<HttpReply> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const request = module.request(url, { method: 'POST', agent, headers: { ...headers, ...length } });
  request.end(body);
  return untilReply(request, signal);
}

/** Separate from the sending, so that an open stream does not keep the request body in memory. */
function untilReply(request: ClientRequest, signal: AbortSignal): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const abort = () => request.destroy();
    signal.addEventListener('abort', abort, { once: true });
    request.on('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('The connection was closed without a reply'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(signal.reason);
      const isStale = request.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnectionError('stale', { cause: error }) : error);
    });
    request.on('response', (response) => resolve(wrapReply(response)));
  });
}

function wrapReply(response: IncomingMessage): HttpReply {
  const body = decompress(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body,
    release() {
      if (body.readableEnded) return;
      body.removeAllListeners('readable');
      body.on('error', () => {});
      body.resume();
      const timer = setTimeout(() => response.destroy(), RELEASE_MS);
      timer.unref();
      response.once('close', () => clearTimeout(timer));
    },
    close() {
      body.on('error', () => {});
      response.destroy();
      body.destroy();
    },
  };
}

function decompress(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding)) return response;
  const zlib = process.getBuiltinModule('node:zlib');
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  if (encoding === 'br') return pipeline(response, zlib.createBrotliDecompress(), () => {});
  return pipeline(response, encoding === 'deflate' ? zlib.createInflate(flush) : zlib.createGunzip(flush), () => {});
}

interface StartOptions {
  signal: AbortSignal;
  clock: Clock;
  maxChars?: number;
}

/** Reads the beginning of a short body, such as an error's. A body that breaks or hangs counts as empty. */
export async function readStart(
  response: HttpReply,
  { signal, clock, maxChars = MAX_ERROR_CHARS }: StartOptions,
): Promise<string> {
  const reader = createTextReader(response.body, signal);
  const cancel = clock.after(ERROR_WAIT_MS, () => reader.stop());
  let text = '';
  try {
    while (text.length < maxChars) {
      const piece = await reader.next();
      if (piece === undefined) break;
      text += piece;
    }
  } catch {
    if (signal.aborted) throw signal.reason;
  } finally {
    cancel();
    if (response.body.readableEnded) response.release();
    else response.close();
  }
  return text;
}
