import * as z from 'zod';
import { type AppError, invalidRequest } from '../../errors.ts';
import { checkValue, JSON_WORDS } from '../../yaml/describe-issue.ts';
import { isRecord } from '../../yaml/parse-yaml.ts';
import { formatPath, type Path } from '../../yaml/problem.ts';
import type { HttpRequest } from './request.ts';

const MAX_PROBLEMS = 20;

/** Returns the checked value, or throws `invalid_request` with the path of every fault. */
export function parseRequest<Output>(schema: z.ZodType<Output>, value: unknown, path: Path = []): Output {
  const { data, findings } = checkValue(schema, value, { path, words: JSON_WORDS, maxFindings: MAX_PROBLEMS });
  // Without findings the value has passed, so it is the schema's output.
  if (findings.length === 0) return data as Output;
  throw invalidAt(...findings.slice(0, MAX_PROBLEMS));
}

/** Copies an object without its null values, which count as absent. */
export function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

/** The error for faults at these paths of the request. */
export function invalidAt(...findings: readonly { path: Path; message: string }[]): AppError {
  return invalidRequest(findings.map(({ path, message }) => ({ path: formatPath(path), message })));
}

/** An idempotency key, wherever a front's protocol has a place for it. */
export const Key = z.string().regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters');

/** Prefix of every REST key: fronts share one key space, and none may use the key of another. */
const KEY_PREFIX = 'rest:';

export function readKey(request: HttpRequest, prefix = KEY_PREFIX): string | undefined {
  const key = request.headers['idempotency-key'];
  return key === undefined ? undefined : `${prefix}${parseRequest(Key, key, ['Idempotency-Key'])}`;
}

/** The caller's trace context; an invalid one is ignored where it is parsed. */
export function readTrace(request: HttpRequest): { traceparent?: string } {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? { traceparent } : {};
}

/** RFC 7240: the turn should continue even if the client disconnects. */
export function wantsToGoOn(request: HttpRequest): boolean {
  return /(^|[,;\s])respond-async($|[,;\s])/i.test(String(request.headers.prefer ?? ''));
}

/** Whether a media type is named explicitly, not just covered by a wildcard. */
export function acceptsByName(request: HttpRequest, mediaType: string): boolean {
  const named = (request.headers.accept ?? '').split(',').map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase());
  return named.includes(mediaType);
}
