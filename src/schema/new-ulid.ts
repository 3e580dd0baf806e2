import type { Ulid } from './ids.ts';

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The time, then 80 random bits. The bits come from a UUID without its version, because Node prefetches random bytes
 * for many UUIDs. The text is written into one buffer: joining letters would keep every intermediate string.
 */
export function newUlid(): Ulid {
  const letters = Buffer.allocUnsafe(26);
  writeBase32(letters, { from: 0, to: 10, value: Date.now() });
  const uuid = crypto.randomUUID();
  const random = uuid.slice(0, 8) + uuid.slice(24);
  for (let part = 0; part < 4; part++) {
    const value = Number.parseInt(random.slice(part * 5, part * 5 + 5), 16);
    writeBase32(letters, { from: 10 + part * 4, to: 14 + part * 4, value });
  }
  return letters.toString('latin1');
}

function writeBase32(letters: Buffer, { from, to, value }: { from: number; to: number; value: number }): void {
  let rest = value;
  for (let at = to - 1; at >= from; at--) {
    letters[at] = BASE32.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
}
