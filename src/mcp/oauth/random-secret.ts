import { randomBytes } from 'node:crypto';

/** Bytes that nobody can guess. They never come from a recorded run: a repeated nonce or state would be no secret. */
export function randomSecret(bytes: number): Buffer {
  return randomBytes(bytes);
}
