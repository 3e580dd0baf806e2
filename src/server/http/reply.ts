import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpRequest } from './request.ts';

/** A shorter response fits into the operating system's buffers. */
const LONG_CHARS = 16_000;
/** Equal to the stall limit of streams. */
const STALL_MS = 15_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The response to one request. It is sent once; later sends are ignored. */
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

  /** True once sent, or once a writer has taken over `raw`. */
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
    this.raw.statusCode = this.#status;
    if (this.raw.destroyed) return this;
    const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
    const type = body !== undefined && { 'content-type': JSON_TYPE };
    // Node closes the connection if the client reads nothing of the response in this time; the next request sets its
    // own timeout.
    if (body !== undefined && body.length > LONG_CHARS) this.raw.socket?.setTimeout(STALL_MS);
    this.raw.writeHead(this.#status, { ...type, ...this.#headers, ...length }).end(body);
    return this;
  }

  /** Transfers `raw` to the caller, with the headers set so far. */
  hijack(): OutgoingHttpHeaders {
    this.#isDone = true;
    return this.#headers;
  }
}
