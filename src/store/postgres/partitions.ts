import type { Link } from './link.ts';

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
