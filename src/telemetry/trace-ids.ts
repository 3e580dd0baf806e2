/** Crockford's digits, in which a ULID is written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A turn's trace has the turn's own 128 bits, so that every attempt at it is part of one trace. Two digits of a ULID are
 * two of hex (its first holds three bits only), and then every four are five.
 */
export function traceIdOf(turnId: string): string {
  let hex = toHex(turnId.slice(0, 2), 2);
  for (let index = 2; index < turnId.length; index += 4) hex += toHex(turnId.slice(index, index + 4), 5);
  return hex;
}

function toHex(digits: string, length: number): string {
  let value = 0;
  for (const digit of digits) value = value * 32 + DIGITS.indexOf(digit);
  return value.toString(16).padStart(length, '0');
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
