import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ANN, auditOf, endTurn, newTurn } from '../../src/store/contract/fixtures.ts';
import { openPostgresAdmin } from '../../src/store/postgres/admin.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { temporaryFolder } from '../runtime.ts';
import { type Cluster, installed, startCluster } from './cluster.ts';
import { databaseOfFile } from './database.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a machine without the client programs of PostgreSQL', () => {
  const database = databaseOfFile();

  it('gets one sentence', async () => {
    vi.stubEnv('PATH', temporaryFolder());
    const admin = openPostgresAdmin(database.url);
    const message = 'pg_dump was not found. Install the client programs of PostgreSQL, then try again.';
    const copy = join(temporaryFolder(), 'copy');
    await expect(admin.backup(copy)).rejects.toMatchObject({ code: 'usage', message });
    expect(existsSync(copy)).toBe(false);
    await admin.close();
  });
});

/** The client programs must not be older than the server, so both are those of the system. */
const bin = installed().find((folder) => existsSync(join(folder, 'pg_dump')) && existsSync(join(folder, 'postgres')));

describe.runIf(bin)('a copy by the client programs of PostgreSQL', () => {
  let cluster: Cluster | undefined;
  afterEach(() => cluster?.stop());

  it('holds the same when it is restored into an empty database, and is refused by one with data', async () => {
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    cluster = await startCluster({ ...(bin && { bin }) });
    const store = await createPostgresStore({ url: cluster.url });
    const turn = newTurn();
    const begun = await store.beginTurn(ANN, turn);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    await store.writeTurn(ANN, begun.lease, { ...endTurn(turn), audit: [auditOf(turn, ANN)] });
    const admin = openPostgresAdmin(cluster.url);
    const copy = join(temporaryFolder(), 'copy');
    await admin.backup(copy);
    await expect(admin.restore(copy)).rejects.toMatchObject({ code: 'usage' });
    const facts = async (from: typeof store) => ({
      messages: await from.readMessages(ANN, turn.conversationId),
      events: await from.readEvents(ANN, turn.turnId),
      result: await from.readResult(ANN, turn.turnId),
      audit: await from.readAudit(ANN, { limit: 9 }),
    });
    const before = await facts(store);
    await store.close();
    await admin.close();

    const other = new URL(cluster.url);
    other.pathname = '/template1';
    const target = openPostgresAdmin(other.href);
    await target.restore(copy);
    expect(await target.status()).toMatchObject({ conversations: 1, turns: 1 });
    await target.close();
    const restored = await createPostgresStore({ url: other.href });
    expect(await facts(restored)).toEqual(before);
    await restored.close();
  });
});
