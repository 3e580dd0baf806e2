import { DROP_EXPIRED, type SecretWrite, secretStatement, TAKE_SECRET } from '../../secrets.ts';
import type { Sql } from '../sql.ts';

interface OwnSecret {
  /** Empty = of the program itself. */
  userId: string;
  name: string;
}

export function writeSecret(sql: Sql, { userId, ...write }: OwnSecret & SecretWrite): boolean {
  sql.run(DROP_EXPIRED, write.now);
  return sql.one(...secretStatement(userId, write)) !== undefined;
}

export function takeSecret(sql: Sql, { userId, name }: OwnSecret): string | undefined {
  return sql.one<{ value: string }>(TAKE_SECRET, userId, name)?.value;
}
