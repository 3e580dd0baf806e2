import { hash } from 'node:crypto';
import { ulidToUuid } from '../schema/ids.ts';

/** A turn's trace has the turn's own 128 bits, so that every attempt at it is part of one trace. */
export function traceIdOf(turnId: string): string {
  return ulidToUuid(turnId).replaceAll('-', '');
}

/** From the turn's own random bits, so that it is known without having seen the attempt: later ones stand below the first. */
export function rootSpanId(traceId: string, attempt: number): string {
  const random = traceId.slice(16);
  return random.slice(0, 12) + (Number.parseInt(random.slice(12), 16) ^ attempt).toString(16).padStart(4, '0');
}

/** The same key always has the same span: what sends a request and what watches the turn need not talk to each other. */
export function spanIdOf(rootSpanId: string, key: string): string {
  return hash('sha1', `${rootSpanId} ${key}`, 'hex').slice(0, 16);
}
