import * as z from 'zod';
import { Json, parseJson } from '../json.ts';

/** Keys of a conversation's metadata that only the server writes: later turns rely on them. */
export const SERVER_KEYS: readonly string[] = ['title', 'domains_accessed', 'spaces', 'forked_from'];
const MAX_CHARS = 4_000;

const Key = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
  .refine((key) => !SERVER_KEYS.includes(key), { error: ({ input }) => `${input} is set by the server` });

/** A user's own values of a conversation. */
export const OwnMetadata = z
  .record(Key, Json)
  .refine((values) => JSON.stringify(values).length <= MAX_CHARS, `must have at most ${MAX_CHARS} characters as JSON`);
export type OwnMetadata = z.infer<typeof OwnMetadata>;

/** A form sends the values as text. */
export const OwnMetadataField = z.preprocess(
  (value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value),
  OwnMetadata,
);

/** The values of a program that did not check them. */
export function withoutServerKeys(values: OwnMetadata = {}): OwnMetadata {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !SERVER_KEYS.includes(key)));
}
