import { AppError } from '../../errors.ts';
import type { Link, Sql } from './link.ts';
import { MIGRATIONS } from './migrations.ts';
import { describeAddress, toStoreError } from './store-error.ts';

/** Serializes servers that migrate at the same moment; any fixed number. */
const MIGRATION_LOCK = 7_020_341;

export interface Migrated {
  /** The version before and after. */
  from: number;
  to: number;
}

/** Brings the tables to the newest version. A newer database, or one with foreign tables, is refused unchanged. */
export async function migrate(link: Link, url: string, migrations: readonly string[] = MIGRATIONS): Promise<Migrated> {
  try {
    const version = await checkVersion(link, url, migrations);
    if (version === migrations.length) return { from: version, to: version };
    return await link.transaction(async (sql) => {
      await sql.one('SELECT pg_advisory_xact_lock($1)', MIGRATION_LOCK);
      const from = await checkVersion(sql, url, migrations);
      // Only under the lock: another server could make our tables between the two looks.
      if (from === 0 && (await hasForeignTables(sql))) throw foreignTables(url);
      await sql.all('CREATE TABLE IF NOT EXISTS meta (key text PRIMARY KEY, value text NOT NULL)');
      for (const migration of migrations.slice(from)) await runScript(sql, migration);
      const store = `INSERT INTO meta (key, value) VALUES ('version', $1)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
      await sql.all(store, String(migrations.length));
      return { from, to: migrations.length };
    });
  } catch (error) {
    throw toStoreError(error, url);
  }
}

/** The server accepts one statement at a time when it is prepared, so a script runs inside DO. */
async function runScript(sql: Sql, script: string): Promise<void> {
  const quoted = script.replaceAll("'", "''");
  await sql.all(`DO 'BEGIN EXECUTE ''${quoted.replaceAll("'", "''")}''; END'`);
}

async function checkVersion(sql: Sql, url: string, migrations: readonly string[]): Promise<number> {
  const version = await readVersion(sql);
  if (version > migrations.length) {
    const detail = `The database at ${describeAddress(url)} was written by a newer HoloDeck. Update HoloDeck, or use another database.`;
    throw new AppError('store_too_new', { detail });
  }
  return version;
}

function foreignTables(url: string): AppError {
  const detail = `The database at ${describeAddress(url)} holds tables of another program. Use a database of its own for HoloDeck.`;
  return new AppError('store_unavailable', { detail });
}

/**
 * The version of the tables; 0 if there are none. The catalog is read as a table: `to_regclass` may answer from a cache
 * that is older than a lock just taken.
 */
export async function readVersion(sql: Sql): Promise<number> {
  const found =
    await sql.one(`SELECT 1 FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'value'
    WHERE c.relname = 'meta' AND c.relnamespace = current_schema()::regnamespace`);
  if (!found) return 0;
  const row = await sql.one<{ value: string }>("SELECT value FROM meta WHERE key = 'version'");
  return Number(row?.value ?? 0) || 0;
}

async function hasForeignTables(sql: Sql): Promise<boolean> {
  const row = await sql.one(`SELECT 1 FROM pg_tables WHERE schemaname = current_schema()
    AND tablename IN ('meta', 'conversations', 'turns', 'events', 'messages', 'audit', 'tasks') LIMIT 1`);
  return row !== undefined;
}

/** The months whose partitions are made ahead: this one and the next two, by the database's clock. */
const MONTHS = `SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + step * interval '1 month', 'YYYYMM')::integer AS month
  FROM generate_series(0, 2) AS step`;
const EXISTS = "SELECT to_regclass('events_' || $1::text) IS NOT NULL AS done";

/**
 * Makes the event partitions of the next months, so that a month can be dropped as a whole. A month without a partition
 * is kept in `events_other`; nothing depends on the partitions.
 */
export async function makePartitions(link: Link): Promise<void> {
  for (const { month } of await link.all<{ month: number }>(MONTHS)) {
    const found = await link.one<{ done: boolean }>(EXISTS, String(month));
    if (found?.done) continue;
    const sql = `CREATE TABLE IF NOT EXISTS events_${month} PARTITION OF events FOR VALUES FROM (${month}) TO (${month + 1})`;
    // Another server may make it at the same moment, and rows of this month may be in `events_other` already.
    await link.all(sql).catch(() => {});
  }
}
