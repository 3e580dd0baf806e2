import * as z from 'zod';
import type { HttpRequest } from './http/request.ts';
import { parseRequest } from './parse.ts';

const Key = z.string().regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters');

/** Before every key of REST: fronts share one space of keys, and none may use the key of another. */
const KEY_PREFIX = 'rest:';

export function readKey(request: HttpRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return key === undefined ? undefined : `${KEY_PREFIX}${parseRequest(Key, key, ['Idempotency-Key'])}`;
}

/** The trace that the caller is in; a wrong one is ignored where it is read. */
export function readTrace(request: HttpRequest): { traceparent?: string } {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? { traceparent } : {};
}

/** RFC 7240: the turn is wanted even if the client does not stay for it. */
export function wantsToGoOn(request: HttpRequest): boolean {
  return /(^|[,;\s])respond-async($|[,;\s])/i.test(String(request.headers.prefer ?? ''));
}

/** Whether a media type is named, not merely let through by a star. */
export function acceptsByName(request: HttpRequest, mediaType: string): boolean {
  const named = (request.headers.accept ?? '').split(',').map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase());
  return named.includes(mediaType);
}
