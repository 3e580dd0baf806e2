import { ulidToUUID, uuidToULID } from 'ulid';
import * as z from 'zod';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Conversation, turn and message ids, in upper case. */
export const Ulid = z.string().regex(ULID, 'must be a ULID of 26 characters').toUpperCase();
export type Ulid = z.infer<typeof Ulid>;

/** User and task ids, in lower case. Any UUID shape is accepted, whatever its version bits. */
export const Uuid = z.string().regex(UUID, 'must be a UUID').toLowerCase();
export type Uuid = z.infer<typeof Uuid>;

/** A conversation's id as callers may give it: a ULID, or a UUID that stands for the same 128 bits. */
export const ConversationId = z
  .string()
  .refine((text) => ULID.test(text) || UUID.test(text), 'must be a ULID or a UUID')
  .transform((text) => (UUID.test(text) ? uuidToUlid(text) : text.toUpperCase()));

/**
 * The time, then 80 random bits: those of a UUID without its version, because Node fetches random bytes for many UUIDs
 * at once. Written in one piece, where text that is put together letter by letter keeps every step of it.
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

export function uuidToUlid(uuid: Uuid): Ulid {
  return uuidToULID(uuid.toUpperCase());
}

export function ulidToUuid(id: Ulid): Uuid {
  return ulidToUUID(id).toLowerCase();
}
