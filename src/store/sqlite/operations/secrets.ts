import type { SecretWrite } from '../../secrets.ts';
import type { Sql } from '../sql.ts';

export interface OwnSecret {
  /** Empty = of the program itself. */
  userId: string;
  name: string;
}

const PUT = `INSERT INTO secrets (user_id, name, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
const ADD = 'INSERT INTO secrets (user_id, name, value, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
const REPLACE = 'UPDATE secrets SET value = ?, expires_at = ? WHERE user_id = ? AND name = ? AND value = ?';

export function writeSecret(sql: Sql, { userId, name, value, ...write }: OwnSecret & SecretWrite): boolean {
  const { expiresAt = null, expected, now } = write;
  sql.run('DELETE FROM secrets WHERE expires_at <= ?', now);
  if (typeof expected === 'string') return sql.run(REPLACE, value, expiresAt, userId, name, expected) > 0;
  return sql.run(expected === null ? ADD : PUT, userId, name, value, expiresAt) > 0;
}

export function takeSecret(sql: Sql, { userId, name }: OwnSecret): string | undefined {
  const taken = 'DELETE FROM secrets WHERE user_id = ? AND name = ? RETURNING value';
  return sql.one<{ value: string }>(taken, userId, name)?.value;
}

export function readSecret(sql: Sql, { userId, name }: OwnSecret): string | undefined {
  return sql.one<{ value: string }>('SELECT value FROM secrets WHERE user_id = ? AND name = ?', userId, name)?.value;
}

export function listSecrets(sql: Sql, userId: string): string[] {
  const names = 'SELECT name FROM secrets WHERE user_id = ? ORDER BY name';
  return sql.all<{ name: string }>(names, userId).map(({ name }) => name);
}
