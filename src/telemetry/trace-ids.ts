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

export function newSpanId(): string {
  return eightDigits() + eightDigits();
}

function eightDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
