import { hash } from 'node:crypto';
import { ulidToUuid } from '../schema/ids.ts';

/** A caller's trace in W3C Trace Context. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined if the header is absent or invalid; a new trace then begins. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header?.trim() ?? '') ?? [];
  if (!version || !traceId || !spanId || !flags || version === 'ff') return undefined;
  if ((version === '00' && rest !== undefined) || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

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
