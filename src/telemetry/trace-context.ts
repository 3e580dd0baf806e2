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
