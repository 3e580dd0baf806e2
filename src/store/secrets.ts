import type { User } from '../schema/user.ts';
import type { Value } from './read/query.ts';

export interface SecretWrite {
  name: string;
  /** Sealed by the caller; the store cannot read it. */
  value: string;
  /** The row is removed with a later write after this time. */
  expiresAt?: string;
  /** Written only if this is the value now; null = only if there is none. Absent = in any case. */
  expected?: string | null;
  now: string;
}

/** Sealed values of one user, or, without a user, of the program itself. */
export interface SecretStore {
  readSecret(user: User | undefined, name: string): Promise<string | undefined>;
  /** False if the expected value was another one. */
  writeSecret(user: User | undefined, write: SecretWrite): Promise<boolean>;
  /** Removes and returns a value. Of several callers at once, one gets it. */
  takeSecret(user: User | undefined, name: string): Promise<string | undefined>;
  /** The names of a user's values, in order. */
  listSecrets(user: User): Promise<string[]>;
}

export const DROP_EXPIRED = 'DELETE FROM secrets WHERE expires_at <= $1';
export const TAKE_SECRET = 'DELETE FROM secrets WHERE user_id = $1 AND name = $2 RETURNING value';
const INSERT = 'INSERT INTO secrets (user_id, name, value, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT';
const PUT = `${INSERT} (user_id, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
  RETURNING 1 AS done`;
const ADD = `${INSERT} DO NOTHING RETURNING 1 AS done`;
const REPLACE = `UPDATE secrets SET value = $3, expires_at = $4 WHERE user_id = $1 AND name = $2 AND value = $5
  RETURNING 1 AS done`;

/** The statement of a write with its values. It returns a row if it wrote. */
export function secretStatement(userId: string, write: SecretWrite): [text: string, ...values: Value[]] {
  const { name, value, expiresAt = null, expected } = write;
  const row = [userId, name, value, expiresAt];
  return typeof expected === 'string' ? [REPLACE, ...row, expected] : [expected === null ? ADD : PUT, ...row];
}
