import { hash } from 'node:crypto';
import { ulidToUuid } from '../schema/ids.ts';

/** The trace id is the turn's own 128 bits, so that every attempt at a turn belongs to the same trace. */
export function traceIdOf(turnId: string): string {
  return ulidToUuid(turnId).replaceAll('-', '');
}

/** Derived from the turn's random bits, so that a later attempt knows the first attempt's span and can be its child. */
export function rootSpanId(traceId: string, attempt: number): string {
  const random = traceId.slice(16);
  return random.slice(0, 12) + (Number.parseInt(random.slice(12), 16) ^ attempt).toString(16).padStart(4, '0');
}

/** The same key always gives the same span id, so the sender of a request and the tracer need not communicate. */
export function spanIdOf(rootSpanId: string, key: string): string {
  return hash('sha1', `${rootSpanId} ${key}`, 'hex').slice(0, 16);
}
