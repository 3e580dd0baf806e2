import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpRequest } from './request.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer to one request. It is sent once; what comes later is not. */
export interface HttpReply {
  readonly raw: ServerResponse;
  readonly request: HttpRequest;
  /** Sent, or taken over by who writes it himself. */
  readonly isDone: boolean;
  code(status: number): HttpReply;
  header(name: string, value: string): HttpReply;
  headers(values: Readonly<Record<string, string>>): HttpReply;
  type(contentType: string): HttpReply;
  /** Text as it is, anything else as JSON. */
  send(payload?: unknown): HttpReply;
  redirect(path: string): HttpReply;
  /** From here on the caller writes to `raw` himself. */
  hijack(): OutgoingHttpHeaders;
}

export function createReply(raw: ServerResponse, request: HttpRequest): HttpReply {
  const headers: OutgoingHttpHeaders = {};
  let status = 200;
  let isDone = false;
  const reply: HttpReply = {
    raw,
    request,
    get isDone() {
      return isDone;
    },
    code(next) {
      status = next;
      return reply;
    },
    header: (name, value) => reply.headers({ [name]: value }),
    headers(values) {
      Object.assign(headers, values);
      return reply;
    },
    type: (contentType) => reply.header('content-type', contentType),
    send(payload) {
      if (isDone) return reply;
      isDone = true;
      if (raw.destroyed) return reply;
      const body = typeof payload === 'string' || payload === undefined ? payload : JSON.stringify(payload);
      if (body === undefined) raw.writeHead(status, headers).end();
      else
        raw
          .writeHead(status, { 'content-type': JSON_TYPE, ...headers, 'content-length': Buffer.byteLength(body) })
          .end(body);
      return reply;
    },
    redirect: (path) => reply.code(302).header('location', path).send(),
    hijack() {
      isDone = true;
      return headers;
    },
  };
  return reply;
}
