import type { IdGenerator } from '@opentelemetry/sdk-trace';
import { ulidToUuid } from '../schema/ids.ts';

/** Ids of spans. A turn's trace has the turn's own 128 bits, so that every attempt at it is part of one trace. */
export interface TraceIds extends IdGenerator {
  /** The next span has these ids. */
  setNext(traceId: string, spanId: string): void;
}

export function createTraceIds(random: IdGenerator): TraceIds {
  let nextTrace: string | undefined;
  let nextSpan: string | undefined;
  return {
    setNext(traceId, spanId) {
      nextTrace = traceId;
      nextSpan = spanId;
    },
    generateTraceId() {
      const id = nextTrace ?? random.generateTraceId();
      nextTrace = undefined;
      return id;
    },
    generateSpanId() {
      const id = nextSpan ?? random.generateSpanId();
      nextSpan = undefined;
      return id;
    },
  };
}

export function traceIdOf(turnId: string): string {
  return ulidToUuid(turnId).replaceAll('-', '');
}

/** From the turn's own random bits, so that it is known without having seen the attempt: later ones stand below the first. */
export function rootSpanId(traceId: string, attempt: number): string {
  const random = traceId.slice(16);
  return random.slice(0, 12) + (Number.parseInt(random.slice(12), 16) ^ attempt).toString(16).padStart(4, '0');
}
