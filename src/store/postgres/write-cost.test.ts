import { describe, expect, it } from 'vitest';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import { ANN, endTurn, newTurn } from '../contract/fixtures.ts';
import { createGroupWriter } from './group-writer.ts';
import type { Link } from './link.ts';
import { createPostgresStore } from './postgres-store.ts';
import { asLost, isAway } from './store-error.ts';

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

const AWAY = '57P03';
const CONFLICT = '23505';

/** A link whose statements fail with these codes, one after the other, and then succeed; it keeps what was sent. */
function failingLink(codes: readonly string[]) {
  const left = [...codes];
  const sent: { again?: boolean }[][] = [];
  const link = {
    one: async (_text: string, operations: string) => {
      sent.push(JSON.parse(operations));
      const code = left.shift();
      if (code) throw Object.assign(new Error(code), { code });
      return { answers: [{ outcome: 'written' }] };
    },
  } as unknown as Link; // a writer calls nothing else
  return { link, sent };
}

const open = (link: Link, isHeld = () => true) => createGroupWriter({ link, url: 'postgres://127.0.0.1/none', isHeld });

describe('a write', () => {
  it('that conflicts with its own first try, after the database was away for long, is tried again', async () => {
    const { link, sent } = failingLink([...Array<string>(8).fill(AWAY), CONFLICT]);
    expect(await open(link).submit({ name: 'write' })).toEqual({ outcome: 'written' });
    expect(sent.map(([operation]) => operation?.again ?? false)).toEqual([false, ...Array(9).fill(true)]);
  });

  it('is tried again after a failure inside the driver, such as a write to a closed socket', async () => {
    const { link, sent } = failingLink(['ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_DESTROYED', 'ERR_SOCKET_CLOSED']);
    expect(await open(link).submit({ name: 'write' })).toEqual({ outcome: 'written' });
    expect(sent).toHaveLength(4);
    const inside = asLost(new TypeError("Cannot read properties of null (reading 'write')"));
    expect([isAway(inside), isAway(asLost({ code: CONFLICT }))]).toEqual([true, false]);
  });

  it('that conflicts again and again fails', async () => {
    const { link, sent } = failingLink(Array<string>(20).fill(CONFLICT));
    await expect(open(link).submit({ name: 'write' })).rejects.toMatchObject({ code: 'internal' });
    expect(sent.length).toBeLessThan(10);
  });

  it('is given up when the lease is over, and one that cannot be repeated at once', async () => {
    const lost = failingLink(Array<string>(20).fill(AWAY));
    const unavailable = { code: 'store_unavailable' };
    await expect(open(lost.link, () => false).submit({ name: 'write' })).rejects.toMatchObject(unavailable);
    const single = failingLink([AWAY]);
    await expect(open(single.link).submit({ name: 'deleteConversation' })).rejects.toMatchObject(unavailable);
    expect(single.sent).toHaveLength(1);
  });
});
