import { ulidToUUID, uuidToULID } from 'ulid';
import * as z from 'zod';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_CHARS = 26;
const TIME_CHARS = 10;

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
 * Takes its random bytes in one call, where the package's own `ulid()` asks the system once per character, and is
 * written in one piece, where text that is put together letter by letter keeps every step of it.
 */
export function newUlid(): Ulid {
  const letters = crypto.getRandomValues(Buffer.alloc(ULID_CHARS)).map((byte) => BASE32.charCodeAt(byte & 31));
  let rest = Date.now();
  for (let at = TIME_CHARS - 1; at >= 0; at--) {
    letters[at] = BASE32.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
  return Buffer.from(letters).toString('latin1');
}

export function uuidToUlid(uuid: Uuid): Ulid {
  return uuidToULID(uuid.toUpperCase());
}

export function ulidToUuid(id: Ulid): Uuid {
  return ulidToUUID(id).toLowerCase();
}
