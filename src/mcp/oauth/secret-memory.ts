import type { User } from '../../schema/user.ts';

/** Stores sealed values, of one user or, without a user, of the program. */
export interface SecretMemory {
  readSecret(user: User | undefined, name: string): Promise<string | undefined>;
  /** With `expected`, only if that is the value now (null = if there is none); false otherwise. */
  writeSecret(
    user: User | undefined,
    write: { name: string; value: string; expiresAt?: string; expected?: string | null; now: string },
  ): Promise<boolean>;
  /** Removes and returns; of several callers at once, one gets it. */
  takeSecret(user: User | undefined, name: string): Promise<string | undefined>;
  listSecrets(user: User): Promise<string[]>;
}
