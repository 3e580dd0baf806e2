import type { SecretMemory } from '../../src/mcp/oauth/vault.ts';
import type { User } from '../../src/schema/user.ts';

/** Sealed values in memory, with the rules of the stores. `rows` shows what a copy of the database would hold. */
export function createSecretMemory(): SecretMemory & { rows: Map<string, { value: string; expiresAt?: string }> } {
  const rows = new Map<string, { value: string; expiresAt?: string }>();
  const keyOf = (user: User | undefined, name: string) => `${user?.id ?? ''}\n${name}`;
  return {
    rows,
    readSecret: async (user, name) => rows.get(keyOf(user, name))?.value,
    async writeSecret(user, { name, value, expiresAt, expected, now }) {
      for (const [key, row] of rows) if (row.expiresAt !== undefined && row.expiresAt <= now) rows.delete(key);
      const key = keyOf(user, name);
      if (expected !== undefined && (rows.get(key)?.value ?? null) !== expected) return false;
      rows.set(key, { value, ...(expiresAt !== undefined && { expiresAt }) });
      return true;
    },
    async takeSecret(user, name) {
      const key = keyOf(user, name);
      const taken = rows.get(key)?.value;
      rows.delete(key);
      return taken;
    },
    async listSecrets(user) {
      return [...rows.keys()].flatMap((key) => (key.startsWith(`${user.id}\n`) ? [key.split('\n')[1] ?? ''] : []));
    },
  };
}
