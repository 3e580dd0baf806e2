import type { Sql } from '../sql.ts';

/** Overwrites a test row of this length, only to check that the disk accepts writes. */
export function tryWrite(sql: Sql, { chars }: { chars: number }): undefined {
  sql.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('trial', ?)", 'x'.repeat(chars));
}
