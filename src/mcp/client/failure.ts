import { AppError } from '../../errors.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { ToolOutcome } from '../../tools/tool.ts';
import { findLoginNeeded } from '../server-access.ts';

const MAX_LINES = 8;
const MAX_LINE_CHARS = 300;
/** The first line of an error, as Node, Python and most programs print it. */
const ERROR_LINE = /^(?:Uncaught |Caused by: |thread .* )?[\w.]*(?:Error|Exception|panicked)\b(?: \[\w+\])?.*\S/;

/**
 * A failed start with the last output of the server, or the reason why no request reached it. `output` is shown only to
 * the author of an agent.
 */
export class StartFailure extends Error {
  /** The reason as a phrase; undefined = the cause has it. */
  readonly reason: string | undefined;
  readonly output: readonly string[];

  constructor(reason: string | undefined, { output, cause }: { output: readonly string[]; cause: unknown }) {
    super(reason ?? 'could not be started', { cause });
    this.reason = reason;
    this.output = output;
  }
}

/** The last lines of stderr; for a stack trace, the error line above it and the last line. */
export function readOutput(stderr: string): string[] {
  const lines = sanitizeText(stderr)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const error = lines.findLastIndex((line) => ERROR_LINE.test(line));
  const isAbove = error >= 0 && error < lines.length - MAX_LINES;
  const kept = isAbove
    ? [...lines.slice(error, error + MAX_LINES - 2), '…', ...lines.slice(-1)]
    : lines.slice(-MAX_LINES);
  return kept.map((line) => line.slice(0, MAX_LINE_CHARS));
}

/** The host without path, user or query, and the cause, for an HTTP server that no request reached. */
export function readUnreached(error: unknown, { host }: URL): string[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  const last = causes.at(-1);
  if (!last || !causes.some((cause) => cause instanceof TypeError && cause.message === 'fetch failed')) return [];
  const code = 'code' in last ? String(last.code) : '';
  return [code === 'ECONNREFUSED' ? `nothing listens at ${host}` : `${host}: ${sanitizeText(last.message || code)}`];
}

/** Error code that replaces a missing answer. */
export const NO_ANSWER_CODE = -32_990;
/** Error code that replaces an answer of unreadable shape. */
export const UNREADABLE_CODE = -32_991;

/** A refusal by our side of a connection, with a message that the model may read. */
export class RefusedAnswer extends Error {}

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
