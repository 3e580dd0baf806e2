import type { SecretStore } from '../secrets.ts';
import type { Link } from './link.ts';

const PUT = `INSERT INTO secrets (user_id, name, value, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at RETURNING 1 AS done`;
const ADD = `INSERT INTO secrets (user_id, name, value, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING RETURNING 1 AS done`;
const REPLACE = `UPDATE secrets SET value = $3, expires_at = $4 WHERE user_id = $1 AND name = $2 AND value = $5
  RETURNING 1 AS done`;
const TAKE = 'DELETE FROM secrets WHERE user_id = $1 AND name = $2 RETURNING value';
const READ = 'SELECT value FROM secrets WHERE user_id = $1 AND name = $2';
const LIST = 'SELECT name FROM secrets WHERE user_id = $1 ORDER BY name';

export function secretsIn(link: Link): SecretStore {
  return {
    readSecret: async (user, name) => (await link.one<{ value: string }>(READ, user?.id ?? '', name))?.value,
    async writeSecret(user, { name, value, expiresAt = null, expected, now }) {
      await link.all('DELETE FROM secrets WHERE expires_at <= $1', now);
      const row = [user?.id ?? '', name, value, expiresAt] as const;
      const done =
        typeof expected === 'string'
          ? await link.one(REPLACE, ...row, expected)
          : await link.one(expected === null ? ADD : PUT, ...row);
      return done !== undefined;
    },
    takeSecret: async (user, name) => (await link.one<{ value: string }>(TAKE, user?.id ?? '', name))?.value,
    listSecrets: async (user) => (await link.all<{ name: string }>(LIST, user.id)).map(({ name }) => name),
  };
}
