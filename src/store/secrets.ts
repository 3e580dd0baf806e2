import type { User } from '../schema/user.ts';

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
