import { type AppError, CODES, type ErrorCode, toAppError } from '../../errors.ts';
import type { TurnError } from '../../schema/conversation/turn.ts';
import { noteError } from '../http/problem.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';

/** Routes below this path speak OpenAI's protocol, also in their errors. */
export const OPENAI_PATH = '/v1/';

interface OpenaiError {
  error: { message: string; type: string; param: string | null; code: string };
}

/** An error in OpenAI's shape: the same code and sentence as in a problem document. */
function toOpenaiError({ code, message, status, problems }: AppError): OpenaiError {
  return { error: { message, type: typeOf(status), param: problems[0]?.path ?? null, code } };
}

/** The error that a turn ended with. */
export function toTurnError({ code, message }: TurnError): OpenaiError {
  return { error: { message, type: typeOf(statusOf(code)), param: null, code } };
}

function statusOf(code: string): number {
  return code in CODES ? CODES[code as ErrorCode].status : 500; // a stored turn may have the code of a newer version
}

export function sendOpenaiError(error: unknown, request: HttpRequest, reply: HttpReply): HttpReply {
  const known = toAppError(error);
  noteError(known, request, reply);
  // OpenAI's clients expect 400 for an invalid request.
  return reply.code(known.status === 422 ? 400 : known.status).send(toOpenaiError(known));
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
