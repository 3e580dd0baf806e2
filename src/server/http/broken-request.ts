import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import { PROBLEM, toProblem } from './problem.ts';

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
