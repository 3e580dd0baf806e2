/** Every error that a caller can get, with its HTTP status, exit code, title and type. */
export const CODES = {
  config_invalid: { title: 'The agent file has problems', status: 500, exit: 1, type: 'ValidationError' },
  config_not_found: { title: 'The agent file was not found', status: 500, exit: 1, type: 'ValidationError' },
  cases_invalid: { title: 'The test cases have problems', status: 500, exit: 3, type: 'ValidationError' },
  usage: { title: 'The command was not understood', status: 500, exit: 1, type: 'ValidationError' },
  invalid_request: { title: 'The request is not valid', status: 422, exit: 1, type: 'ValidationError' },
  malformed_body: { title: 'The body could not be read', status: 400, exit: 1, type: 'ValidationError' },
  unsupported_media_type: { title: 'This content type is not accepted', status: 415, exit: 1, type: 'ValidationError' },
  payload_too_large: { title: 'The request is too large', status: 413, exit: 1, type: 'ValidationError' },
  unauthorized: { title: 'Sign in first', status: 401, exit: 1, type: 'UnauthorizedError' },
  host_not_allowed: { title: 'This host is not served here', status: 421, exit: 1, type: 'PermissionDenied' },
  origin_not_allowed: { title: 'This origin may not call', status: 403, exit: 1, type: 'PermissionDenied' },
  not_found: { title: 'There is nothing here', status: 404, exit: 1, type: 'ValidationError' },
  agent_not_found: { title: 'No such agent', status: 404, exit: 1, type: 'ValidationError' },
  conversation_not_found: { title: 'No such conversation', status: 404, exit: 1, type: 'ValidationError' },
  no_longer_kept: { title: 'This is no longer kept', status: 410, exit: 1, type: 'ValidationError' },
  method_not_allowed: { title: 'This method is not offered here', status: 405, exit: 1, type: 'ValidationError' },
  turn_running: { title: 'A turn is already running', status: 409, exit: 1, type: 'ValidationError' },
  belongs_to_turn: { title: 'The conversation belongs to a turn', status: 409, exit: 1, type: 'ValidationError' },
  awaiting_input: { title: 'The turn is waiting for an answer', status: 409, exit: 1, type: 'ValidationError' },
  not_interrupted: { title: 'No turn was interrupted', status: 409, exit: 1, type: 'ValidationError' },
  turn_taken_over: { title: 'Another process continued this turn', status: 409, exit: 1, type: 'DatabaseError' },
  idempotency_mismatch: {
    title: 'This Idempotency-Key was used for another request',
    status: 422,
    exit: 1,
    type: 'ValidationError',
  },
  over_capacity: { title: 'Too many turns are running', status: 429, exit: 1, type: 'Timeout' },
  rate_limited: { title: 'Too many requests', status: 429, exit: 1, type: 'Timeout' },
  shutting_down: { title: 'The server is stopping', status: 503, exit: 1, type: 'Timeout' },
  model_unavailable: { title: 'The model could not be reached', status: 502, exit: 3, type: 'ModelError' },
  model_rate_limited: { title: 'The model is busy', status: 502, exit: 3, type: 'ModelError' },
  model_key_refused: { title: 'The model refused the key', status: 502, exit: 3, type: 'ModelError' },
  model_refused: { title: 'The model refused the request', status: 502, exit: 3, type: 'ModelError' },
  model_bad_reply: { title: 'The model sent an unusable reply', status: 502, exit: 3, type: 'ModelError' },
  model_timeout: { title: 'The model took too long', status: 504, exit: 3, type: 'Timeout' },
  answer_format: {
    title: 'The answer does not have the required format',
    status: 502,
    exit: 3,
    type: 'ModelError',
  },
  answer_withheld: { title: 'The answer was withheld', status: 502, exit: 3, type: 'ModelError' },
  format_unsupported: { title: 'This model cannot answer in a format', status: 422, exit: 1, type: 'ValidationError' },
  budget_reached: { title: 'The limit of costs is reached', status: 429, exit: 3, type: 'PermissionDenied' },
  context_too_long: { title: 'The conversation is too long for the model', status: 502, exit: 3, type: 'ModelError' },
  builtin_failed: { title: 'The built-in model failed', status: 500, exit: 3, type: 'IntentClassificationError' },
  tool_unavailable: { title: 'A tool could not be started', status: 502, exit: 2, type: 'ToolInvocationError' },
  login_failed: { title: 'The login did not work', status: 502, exit: 2, type: 'PermissionDenied' },
  store_unavailable: { title: 'The store could not be used', status: 503, exit: 2, type: 'DatabaseError' },
  store_too_new: { title: 'The store was written by a newer HoloDeck', status: 503, exit: 2, type: 'DatabaseError' },
  turn_interrupted: { title: 'The turn was interrupted', status: 503, exit: 3, type: 'Timeout' },
  port_in_use: { title: 'The port is in use', status: 500, exit: 2, type: 'ValidationError' },
  not_ready: { title: 'Not ready', status: 503, exit: 2, type: 'Timeout' },
  internal: { title: 'Something went wrong on our side', status: 500, exit: 3, type: 'ModelError' },
} as const;

export type ErrorCode = keyof typeof CODES;

/** A problem at one place of the caller's input. */
export interface Problem {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** Describes what is wrong, where, and what to do. Shown to users, so it contains no internals. */
  detail: string;
  /** For the agent's author on their own machine and for the log: hosts, settings, a provider's sentence. No secrets. */
  author?: string;
  problems?: Problem[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Errors without a stack: they are thrown most under load, and the stack is most of their cost. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['over_capacity', 'rate_limited']);

/** The only error class. Callers test `code`, never the text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly author: string | undefined;
  readonly problems: Problem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions) {
    const { stackTraceLimit } = Error;
    if (REFUSALS.has(code)) Reflect.set(Error, 'stackTraceLimit', 0);
    super(options.detail, { cause: options.cause });
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    this.name = 'AppError';
    this.code = code;
    this.author = options.author;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get title(): string {
    return CODES[this.code].title;
  }

  get status(): number {
    return CODES[this.code].status;
  }

  get exitCode(): number {
    return CODES[this.code].exit;
  }

  get errorType(): (typeof CODES)[ErrorCode]['type'] {
    return CODES[this.code].type;
  }
}

/** A request that is invalid at these places. */
export function invalidRequest(problems: readonly Problem[]): AppError {
  const detail = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  return new AppError('invalid_request', { detail, problems: [...problems] });
}

/** Turns an unexpected error into an AppError. Its text stays in `cause`, for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', { detail: 'Something went wrong on our side. Please try again.', cause: error });
}
