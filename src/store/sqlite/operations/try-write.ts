import type { Sql } from '../sql.ts';

/** Writes a row of this length over the last one, only to see whether the disk takes it. */
export function tryWrite(sql: Sql, { chars }: { chars: number }): undefined {
  sql.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('trial', ?)", 'x'.repeat(chars));
}
