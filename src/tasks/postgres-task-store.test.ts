import { afterAll, vi } from 'vitest';
import { databaseOfFile } from '../../test/postgres/database.ts';
import { createPostgresTaskStore } from './postgres-task-store.ts';
import type { TaskStore } from './task-store.ts';
import { taskStoreContract } from './task-store-contract.ts';
import type { MakeTaskStore } from './task-undo-contract.ts';

// A property of 200 histories makes thousands of transactions.
vi.setConfig({ testTimeout: 240_000 });

const database = databaseOfFile();
let temporary: TaskStore | undefined;
let clock: () => Date = () => new Date();

/** A property plays many short histories; they share a store and get empty tables. */
const open: MakeTaskStore = async ({ now = () => new Date(), isTemporary = false } = {}) => {
  clock = now;
  if (isTemporary && temporary) {
    await database.empty();
    return temporary;
  }
  await temporary?.close();
  temporary = await createPostgresTaskStore({ url: database.url, now: () => clock() });
  await database.empty();
  return temporary;
};

afterAll(() => temporary?.close());
taskStoreContract('createPostgresTaskStore', open);
