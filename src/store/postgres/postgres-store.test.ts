import { expect, it } from 'vitest';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import { storeContract } from '../store-contract.ts';
import { createPostgresStore } from './postgres-store.ts';

const database = databaseOfFile();

it('makes its tables once when many servers start on an empty database', async () => {
  const opening = Array.from({ length: 8 }, () => createPostgresStore({ url: database.url }));
  const stores = await Promise.all(opening);
  expect(await database.run("SELECT value FROM meta WHERE key = 'version'")).toHaveLength(1);
  await Promise.all(stores.map((store) => store.close()));
});

storeContract('PostgreSQL', async ({ now }) => ({
  open: () => createPostgresStore({ url: database.url, now }),
  dispose: database.empty,
}));
