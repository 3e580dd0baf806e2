import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { alreadyRead, discardRest, type HttpSink, type HttpSource } from '../server/http/exchange.ts';

const BUFFER_BYTES = 64 * 1024;
/** The web's Response accepts no body with these. */
const BODILESS = new Set([204, 205, 304]);
/** Headers of a connection, which is the host's. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** Sent to nobody: the client was gone before the head was written. */
const CLIENT_GONE = 499;

export function toWebSource(request: Request): HttpSource {
  const url = new URL(request.url);
  const headers = { host: url.host, ...Object.fromEntries(request.headers) };
  const length = request.headers.get('content-length');
  const isDescribed = length !== null || request.headers.has('content-type');
  let body: Readable | undefined;
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    headers,
    // The web joins repeated headers; a joined one is no valid host or token.
    countHeader: (name) => (name in headers ? 1 : 0),
    isSecure: url.protocol === 'https:',
    hasBody: request.body !== null && isDescribed && length !== '0',
    get body() {
      body ??= openBody(request);
      return body;
    },
    get isComplete() {
      return request.body === null || body?.readableEnded === true;
    },
    refuseBody() {
      body ??= openBody(request);
      discardRest(body, () => body?.destroy());
    },
    incoming: request,
  };
}

function openBody(request: Request): Readable {
  if (request.body === null) return Readable.from([]);
  // TypeScript has two types for the same web stream.
  const isRead = request.bodyUsed || request.body.locked;
  const body = isRead ? alreadyRead() : Readable.fromWeb(request.body as NodeWebStream);
  // An upload may end while nobody reads it; without a listener that would end the process.
  return body.on('error', () => {});
}

/** Collects a response and gives it to the host as soon as its head is written. The host's reading sets the pace. */
export class WebSink implements HttpSink {
  readonly response: Promise<Response>;
  readonly #resolve: (response: Response) => void;
  readonly #method: string;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #callbacks: (() => void)[] = [];
  #caughtUp: (() => void)[] = [];
  isClosed = false;
  isEnded = false;
  isFinished = false;
  sentStatus: number | undefined;

  constructor({ method, signal }: Request) {
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#resolve = resolve;
    this.#method = method;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  get isBehind(): boolean {
    return (this.#controller?.desiredSize ?? 1) <= 0;
  }

  writeHead(status: number, given: OutgoingHttpHeaders): void {
    if (this.isClosed) return;
    this.sentStatus = status;
    const headers = new Headers();
    for (const [name, value] of Object.entries(given))
      if (!OF_CONNECTION.has(name)) for (const each of [value ?? []].flat()) headers.append(name, String(each));
    const hasBody = this.#method !== 'HEAD' && !BODILESS.has(status);
    this.#resolve(new Response(hasBody ? this.#openBody() : null, { status, headers }));
  }

  #openBody(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#release(),
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    );
  }

  flushHead(): void {}

  write(data: string | Uint8Array): void {
    if (this.isClosed || this.isEnded || data.length === 0) return;
    this.#controller?.enqueue(typeof data === 'string' ? Buffer.from(data) : data);
  }

  end(data?: string | Uint8Array): void {
    if (this.isClosed || this.isEnded) return;
    if (data !== undefined) this.write(data);
    this.isEnded = true;
    this.isFinished = true;
    this.#controller?.close();
    queueMicrotask(() => this.#close());
  }

  destroy(): void {
    this.#stop(() => this.#controller?.error(new Error('The response was cut.')));
  }

  /** The client is gone. An error would be in the app's log once for each client that leaves. */
  #leave(): void {
    this.#stop(() => this.#controller?.close());
  }

  #stop(closeBody: () => void): void {
    if (this.isClosed) return;
    if (this.sentStatus === undefined) this.#resolve(new Response(null, { status: CLIENT_GONE }));
    else if (!this.isEnded) closeBody();
    this.#close();
  }

  askForBody(): void {}

  onClose(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  untilRead(stallMs: number): Promise<void> | undefined {
    if (!this.isBehind || this.isClosed) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.destroy(), stallMs);
    this.#caughtUp.push(() => {
      clearTimeout(timer);
      resolve();
    });
    return promise;
  }

  /** The host watches its own sockets; a stream that waits for its reader is watched in `untilRead`. */
  dropWhenStalled(): void {}

  #release(): void {
    for (const callback of this.#caughtUp.splice(0)) callback();
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#release();
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}
