import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, inject } from 'vitest';

/** A database of one test file. */
export interface Database {
  /** Set before the first test. */
  url: string;
  /** Removes all rows, so that the next test begins with empty tables. */
  empty(): Promise<void>;
  run(statement: string): Promise<Record<string, unknown>[]>;
}

const EMPTY = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('meta') LOOP
    EXECUTE 'DELETE FROM ' || quote_ident(name);
  END LOOP; END $$`;

/** Makes a database in the server of this run, for all tests of the file. */
export function databaseOfFile(): Database {
  const server = inject('postgresUrl');
  const name = `holodeck_test_${randomBytes(6).toString('hex')}`;
  const address = new URL(server);
  address.pathname = `/${name}`;
  const url = address.href;
  let sql: postgres.Sql;
  beforeAll(async () => {
    await runOnce(server, `CREATE DATABASE ${name}`);
    sql = postgres(url, { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await sql.end({ timeout: 2 });
    await runOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return {
    url,
    empty: async () => void (await sql.unsafe(EMPTY)),
    run: async (statement) => [...(await sql.unsafe(statement))],
  };
}

async function runOnce(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 2 });
  }
}
