import { AppError } from '../../errors.ts';
import type { ToolOutcome } from '../../tools/tool.ts';
import { findLoginNeeded } from '../server-access.ts';
import { NO_ANSWER_CODE, RefusedAnswer, UNREADABLE_CODE } from './own-codes.ts';
import { StartFailure } from './start-failure.ts';

/**
 * A failed connection. It is unknown whether the call took effect, unless the kind is `forgotten`.
 * `gone`: the connection has ended.
 * `broken`: the answer to this call broke off; the connection may still work for others.
 * `busy`: the server, or a gateway in front of it, reports a problem; no call is to blame.
 * `forgotten`: the server no longer knows our session and did not process the call; a new connection may send it again.
 */
export interface Failure {
  kind: 'gone' | 'broken' | 'busy' | 'forgotten';
  reason: string;
}

type Sdk = typeof import('@modelcontextprotocol/client');

/** Classifies an error of the SDK: a refusal that the model can read, or a connection that no longer works. */
export function classifyFailure(
  error: unknown,
  options: { sdk: Sdk; ended: string | undefined },
): { outcome: ToolOutcome } | { failure: Failure } {
  const { sdk, ended } = options;
  const login = findLoginNeeded(error);
  if (login) return { outcome: refused('PermissionDenied', `${login.message}. Pass this on to the user.`) };
  if (ended !== undefined) return { failure: { kind: 'gone', reason: ended } };
  if (error instanceof sdk.SdkHttpError) return classifyStatus(error.data.status);
  if (error instanceof sdk.ProtocolError) {
    if (error.code === NO_ANSWER_CODE) return { failure: { kind: 'broken', reason: error.message } };
    if (error.code === UNREADABLE_CODE || NO_STRUCTURE.test(error.message)) return { outcome: UNREADABLE };
    const isOurs = error.code === sdk.ProtocolErrorCode.InvalidParams;
    return { outcome: refused(isOurs ? 'ValidationError' : 'ToolInvocationError', error.message) };
  }
  const reason = 'closed the connection';
  // fetch throws these if there is no connection, or if it breaks.
  if (error instanceof TypeError) return { failure: { kind: 'broken', reason } };
  if (isConnectionLost(error, sdk)) return { failure: { kind: 'gone', reason } };
  if (error instanceof RefusedAnswer) return { outcome: refused('ToolInvocationError', error.message) };
  // Messages of parsers and validators are not for the model. The server answered, so the call may have taken effect.
  return { outcome: UNREADABLE };
}

/** The SDK's message for a result without the declared structured content. */
const NO_STRUCTURE = /^Tool .+ has an output schema but did not return structured content$/;
const UNREADABLE: ToolOutcome = {
  error: {
    error_type: 'ToolInvocationError',
    message: 'The server answered, but its answer cannot be read. It is unknown whether the call took effect.',
  },
  unknown: true,
};

function classifyStatus(status: number): { outcome: ToolOutcome } | { failure: Failure } {
  if (status === 404) return { failure: { kind: 'forgotten', reason: 'no longer knows this session' } };
  if (status === 401 || status === 403)
    return { outcome: refused('PermissionDenied', `The server refused the call (HTTP ${status}).`) };
  if (status >= 500 || status === 429) return { failure: { kind: 'busy', reason: `answered with HTTP ${status}` } };
  return { outcome: refused('ToolInvocationError', `The server refused the call (HTTP ${status}).`) };
}

function refused(
  errorType: 'ValidationError' | 'ToolInvocationError' | 'PermissionDenied',
  message: string,
): ToolOutcome {
  return { error: { error_type: errorType, message: message || 'The tool failed without giving a reason.' } };
}

function isConnectionLost(error: unknown, sdk: Sdk): boolean {
  const { ConnectionClosed, NotConnected, SendFailed } = sdk.SdkErrorCode;
  return error instanceof sdk.SdkError && [ConnectionClosed, NotConnected, SendFailed].includes(error.code);
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'has an address that is not known',
  EAI_AGAIN: 'has an address that is not known',
  ECONNRESET: 'broke the connection off',
};
const MAX_SAID_CHARS = 200;
const NOT_MCP = 'does not answer in the form that MCP asks for';
const UNREADABLE_STARTS = ['INVALID_RESULT', 'UNSUPPORTED_RESULT_TYPE', 'CLIENT_HTTP_UNEXPECTED_CONTENT'];

/** The reason of a failed start, as a phrase for people; details go to the log. */
export function describeStartFailure(error: unknown): string {
  const status = readStatus(error);
  if (status === 401 || status === 403) return `refused the credentials (HTTP ${status}); check its headers`;
  if (status !== undefined) return `answered with HTTP ${status}`;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const known = describeCause(cause);
    if (known) return known;
  }
  return 'could not be started; the log says more';
}

function describeCause(cause: Error): string | undefined {
  if (cause instanceof StartFailure) return cause.reason;
  if (cause instanceof AppError) return cause.message;
  if (cause.name === 'TimeoutError') return 'did not answer in time';
  const code = 'code' in cause ? cause.code : undefined;
  if (code === UNREADABLE_CODE) return NOT_MCP;
  if (code === NO_ANSWER_CODE) return cause.message;
  // A number is the code of an error response from the server itself.
  if (typeof code === 'number') return `said: ${cause.message.slice(0, MAX_SAID_CHARS)}`;
  if (cause.name === 'ZodError' || cause.name === 'SyntaxError') return NOT_MCP;
  if (typeof code !== 'string') return undefined;
  if (UNREADABLE_STARTS.includes(code)) return NOT_MCP;
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return `has no certificate that can be trusted (${code})`;
  return UNREACHABLE[code];
}

export function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('data' in error)) return undefined;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('status' in data)) return undefined;
  return typeof data.status === 'number' ? data.status : undefined;
}
