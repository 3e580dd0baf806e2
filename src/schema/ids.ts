import { ulidToUUID, uuidToULID } from 'ulid';
import * as z from 'zod';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Conversation, turn and message ids, in upper case. */
export const Ulid = z.string().regex(ULID, 'must be a ULID of 26 characters').toUpperCase();
export type Ulid = z.infer<typeof Ulid>;

/** User and task ids, in lower case. Any UUID is accepted, whatever its version bits. */
export const Uuid = z.string().regex(UUID, 'must be a UUID').toLowerCase();
export type Uuid = z.infer<typeof Uuid>;

/** A conversation's id as callers send it: a ULID, or a UUID with the same 128 bits. */
export const ConversationId = z
  .string()
  .refine((text) => ULID.test(text) || UUID.test(text), 'must be a ULID or a UUID')
  .transform((text) => (UUID.test(text) ? uuidToUlid(text) : text.toUpperCase()));

export function uuidToUlid(uuid: Uuid): Ulid {
  return uuidToULID(uuid.toUpperCase());
}

export function ulidToUuid(id: Ulid): Uuid {
  return ulidToUUID(id).toLowerCase();
}
