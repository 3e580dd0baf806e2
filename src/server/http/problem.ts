import type { Socket } from 'node:net';
import { AppError, type ErrorCode, toAppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import type { ProblemDetail } from '../../schema/server.ts';
import type { HttpReply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const TYPE_BASE = 'https://holodeck.dev/errors/';
export const PROBLEM = 'application/problem+json';

/** An error as the caller sees it (RFC 9457): its code and the next step, never a stack or a local path. */
function toProblem(error: AppError, requestId: string): ProblemDetail {
  return {
    type: `${TYPE_BASE}${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance: requestId,
    code: error.code,
    ...(error.problems.length > 0 && { errors: error.problems }),
  };
}

/** Turns every error that a route throws into a problem document. */
export function sendProblem(error: unknown, request: HttpRequest, reply: HttpReply): HttpReply {
  const known = toAppError(error);
  noteError(known, request, reply);
  return reply.code(known.status).type(`${PROBLEM}; charset=utf-8`).send(toProblem(known, request.id));
}

/** Logs an error and sets the headers that go with it, in every front. */
export function noteError(known: AppError, request: HttpRequest, reply: HttpReply): void {
  request.facts.error = known.code;
  // Our own errors, such as shutting down, need no stack in the log.
  if (known.status >= 500 && known.cause !== undefined) request.facts.cause = describe(known.cause);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
  if (known.code === 'unauthorized' && request.challenge) reply.header('www-authenticate', request.challenge);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const CODES: Record<string, { code: ErrorCode; status: string; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    code: 'payload_too_large',
    status: '431 Request Header Fields Too Large',
    detail: 'The headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'malformed_body',
    status: '408 Request Timeout',
    detail: 'The request took too long to arrive.',
  },
};
const OTHERWISE = {
  code: 'malformed_body',
  status: '400 Bad Request',
  detail: 'This is not an HTTP request.',
} as const;

/** Answers a request that Node could not parse with a problem document and closes its socket. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { code, status, detail } = CODES[error.code ?? ''] ?? OTHERWISE;
  const body = JSON.stringify({
    ...toProblem(new AppError(code, { detail }), systemIds.ulid()),
    status: Number.parseInt(status, 10),
  });
  if (socket.writable) {
    const head = [`HTTP/1.1 ${status}`, `content-type: ${PROBLEM}`, `content-length: ${Buffer.byteLength(body)}`];
    socket.write(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
