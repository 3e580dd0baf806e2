import * as z from 'zod';
import { parseRequest } from './parse.ts';
import type { HttpRequest } from './request.ts';

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
