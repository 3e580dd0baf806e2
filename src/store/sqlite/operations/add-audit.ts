import type { Sql } from '../sql.ts';

export interface AddedAudit {
  userId: string;
  bodies: readonly string[];
}

export function addAudit(sql: Sql, { userId, bodies }: AddedAudit): void {
  for (const body of bodies) sql.run('INSERT INTO audit (user_id, body) VALUES (?, ?)', userId, body);
}
