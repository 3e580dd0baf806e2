import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toAppError } from '../errors.ts';
import type { ProblemDetail } from '../schema/server.ts';

const TYPE_BASE = 'https://holodeck.dev/errors/';
export const PROBLEM = 'application/problem+json';

/** What a caller is told of an error (RFC 9457): its code and what to do, never a stack or a path of ours. */
export function toProblem(error: AppError, requestId: string): ProblemDetail {
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

/** The server's border: every error that a route throws becomes a problem. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = fromFastify(error) ?? toAppError(error);
  request.facts.error = known.code;
  // What we say ourselves, such as that we are stopping, needs no stack to be understood.
  if (known.status >= 500 && known.cause !== undefined) request.facts.cause = describe(known.cause);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
  if (known.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  return reply.code(known.status).type(PROBLEM).send(toProblem(known, request.id));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The framework's own refusals, in our words. */
function fromFastify(error: unknown): AppError | undefined {
  if (error instanceof AppError || !(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  if (statusCode === 413) return new AppError('payload_too_large', { detail: 'The body is too large.', cause: error });
  if (statusCode === 415) {
    return new AppError('unsupported_media_type', { detail: 'Send application/json.', cause: error });
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('malformed_body', { detail: 'The body is not valid JSON.', cause: error });
  }
  return undefined;
}
