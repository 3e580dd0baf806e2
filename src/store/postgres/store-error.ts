import { AppError, toAppError } from '../../errors.ts';

/** Reasons by the code of the driver or the SQLSTATE of the server. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'no host has this name',
  ECONNREFUSED: 'no server accepts connections there',
  CONNECT_TIMEOUT: 'it did not answer in time',
  ETIMEDOUT: 'it did not answer in time',
  STALLED: 'it did not answer in time',
  '28P01': 'it refused the user name or the password',
  '28000': 'it refused the user name or the password',
  '3D000': 'it has no database of this name',
  '42501': 'the user of the URL may not create or change tables there',
  '25006': 'it is a replica and accepts no writes',
  '53100': 'its disk is full',
  '53300': 'it accepts no more connections',
  '57P03': 'it is starting or stopping',
};

/** Network failures of the driver. It may also write to a socket that is already closed (`ERR_STREAM_…`). */
const NETWORK =
  /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)|ERR_S(TREAM|OCKET)_|CONNECT_TIMEOUT|CONNECTION_|STALLED|UNEXPECTED_MESSAGE)/;
/** Classes of SQLSTATE: connection, resources, operator intervention, system error; and read-only servers. */
const SERVER_AWAY = /^(08|53|57P|58|25006)/;

export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}

/** Whether the database cannot be used now. The outcome of the statement is then unknown. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  return NETWORK.test(code) || SERVER_AWAY.test(code);
}

/** A failure inside the driver, as of a connection that closes while it is used, has no code: no answer of the database. */
export function asLost(error: unknown): unknown {
  if (codeOf(error) !== '') return error;
  return Object.assign(new Error('the connection was lost', { cause: error }), { code: 'CONNECTION_LOST' });
}

/** A conflict with another transaction: the same statement succeeds when it is tried again. */
export function isConflict(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(codeOf(error));
}

/** Text with a NUL character or half of a surrogate pair; PostgreSQL cannot store it. */
const BAD_TEXT = new Set(['22021', '22P05', '22P02']);

/** Converts a failure of the driver or the server. The message names host and reason, never the password. */
export function toStoreError(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (BAD_TEXT.has(code)) {
    const detail = 'The text contains a character that cannot be stored, such as NUL. Remove it.';
    return new AppError('invalid_request', { detail, cause: error });
  }
  const isOurs = code in REASONS || isAway(error);
  if (!isOurs) return toAppError(error);
  return unavailable(REASONS[code] ?? 'the connection was lost', url, error);
}

export function unavailable(reason: string, url: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', {
    detail: 'The database cannot be used now. Try again in a moment.',
    author: `The database at ${describeAddress(url)} cannot be used: ${reason}.`,
    retryAfterSeconds: 2,
    cause,
  });
}

/** The hosts and the name of a database, for messages; never the user or the password. */
export function describeAddress(url: string): string {
  const rest = url.replace(/^postgres(ql)?:\/\//i, '');
  const withoutUser = rest.slice(rest.lastIndexOf('@') + 1);
  const [place = ''] = withoutUser.split('?', 1);
  return place || 'the database';
}
