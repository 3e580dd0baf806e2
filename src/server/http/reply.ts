import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpSink } from './exchange.ts';
import type { HttpRequest } from './request.ts';

/** A shorter response fits into the operating system's buffers. */
const LONG_CHARS = 16_000;
/** Equal to the stall limit of streams. */
const STALL_MS = 15_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The response to one request. It is sent once; later sends are ignored. */
export class HttpReply {
  readonly sink: HttpSink;
  readonly request: HttpRequest;
  #headers: OutgoingHttpHeaders = {};
  #status = 200;
  #isDone = false;

  constructor(sink: HttpSink, request: HttpRequest) {
    this.sink = sink;
    this.request = request;
  }

  /** True once sent, or once a writer has taken over `sink`. */
  get isDone(): boolean {
    return this.#isDone;
  }

  code(status: number): this {
    this.#status = status;
    return this;
  }

  header(name: string, value: string): this {
    return this.headers({ [name]: value });
  }

  headers(values: Readonly<Record<string, string>>): this {
    this.#headers = { ...this.#headers, ...values };
    return this;
  }

  type(contentType: string): this {
    return this.header('content-type', contentType);
  }

  /** Text and bytes as they are, anything else as JSON. */
  send(payload?: unknown): this {
    if (this.#isDone) return this;
    const isReady = typeof payload === 'string' || payload === undefined || Buffer.isBuffer(payload);
    const body = isReady ? payload : JSON.stringify(payload);
    this.#isDone = true;
    if (this.sink.isClosed) return this;
    const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
    const type = body !== undefined && { 'content-type': JSON_TYPE };
    if (body !== undefined && body.length > LONG_CHARS) this.sink.dropWhenStalled(STALL_MS);
    this.sink.writeHead(this.#status, { ...type, ...this.#headers, ...length });
    this.sink.end(body);
    return this;
  }

  /** Transfers `sink` to the caller, with the headers set so far. */
  hijack(): OutgoingHttpHeaders {
    this.#isDone = true;
    return this.#headers;
  }
}
