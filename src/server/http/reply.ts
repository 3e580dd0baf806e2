import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpRequest } from './request.ts';

/** A shorter answer fits into the buffers of the operating system. */
const LONG_CHARS = 16_000;
/** As long as a stream may stall. */
const STALL_MS = 15_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer to one request. It is sent once; what comes later is not. */
export class HttpReply {
  readonly raw: ServerResponse;
  readonly request: HttpRequest;
  #headers: OutgoingHttpHeaders = {};
  #status = 200;
  #isDone = false;

  constructor(raw: ServerResponse, request: HttpRequest) {
    this.raw = raw;
    this.request = request;
  }

  /** Sent, or taken over by who writes it himself. */
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

  /** Text as it is, anything else as JSON. */
  send(payload?: unknown): this {
    if (this.#isDone) return this;
    const body = typeof payload === 'string' || payload === undefined ? payload : JSON.stringify(payload);
    this.#isDone = true;
    this.raw.statusCode = this.#status;
    if (this.raw.destroyed) return this;
    const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
    const type = body !== undefined && { 'content-type': JSON_TYPE };
    // Node closes the connection of a client that takes nothing of it; the next request sets its own time.
    if (body !== undefined && body.length > LONG_CHARS) this.raw.socket?.setTimeout(STALL_MS);
    this.raw.writeHead(this.#status, { ...type, ...this.#headers, ...length }).end(body);
    return this;
  }

  /** From here on the caller writes to `raw` himself, with the headers that were set so far. */
  hijack(): OutgoingHttpHeaders {
    this.#isDone = true;
    return this.#headers;
  }
}
