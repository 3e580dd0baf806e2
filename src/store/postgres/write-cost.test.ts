import { expect, it } from 'vitest';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import { ANN, endTurn, newTurn } from '../contract/fixtures.ts';
import { createPostgresStore } from './postgres-store.ts';

const database = databaseOfFile();
const TURNS = 300;

/** Entries that were read from the indexes of a table so far. The database reports them with a delay of seconds. */
async function entriesRead(): Promise<Record<string, number>> {
  const rows = await database.run(
    "SELECT indexrelname, idx_tup_read::integer AS read FROM pg_stat_user_indexes WHERE relname = 'turns'",
  );
  return Object.fromEntries(rows.map(({ indexrelname, read }) => [indexrelname, Number(read)]));
}

it('reads one entry per write, however many turns ran since the last vacuum', async () => {
  const store = await createPostgresStore({ url: database.url });
  try {
    for (let count = 0; count < TURNS; count++) {
      const turn = newTurn();
      const begun = await store.beginTurn(ANN, turn);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      await store.writeTurn(ANN, begun.lease, endTurn(turn));
    }
  } finally {
    await store.close();
  }
  await expect.poll(async () => (await entriesRead()).turns_id_key).toBeGreaterThanOrEqual(TURNS);
  const { turns_running, turns_of_user } = await entriesRead();
  expect([turns_running, turns_of_user]).not.toContain(undefined);
  // A lookup by these would read the entries of all former turns: TURNS² / 2.
  expect((turns_running ?? 0) + (turns_of_user ?? 0)).toBeLessThan(TURNS);
});
