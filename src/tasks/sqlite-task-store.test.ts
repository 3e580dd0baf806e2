import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSqliteTaskStore } from './sqlite-task-store.ts';
import { taskStoreContract } from './task-store-contract.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'tasks-')), 'tasks.db');

taskStoreContract('createSqliteTaskStore', async () => createSqliteTaskStore({ path: newPath() }));

it('keeps tasks and call ids over a restart', async () => {
  const path = newPath();
  const owner = '00000000-0000-4000-8000-00000000000a';
  const first = createSqliteTaskStore({ path });
  const task = await first.addTask(owner, { title: 'buy milk' }, { callId: 'once' });
  await first.close();
  const second = createSqliteTaskStore({ path });
  expect(await second.addTask(owner, { title: 'buy milk' }, { callId: 'once' })).toEqual(task);
  expect(await second.listTasks(owner, { filter: 'all' })).toEqual([task]);
});

it('acknowledges no task after the database file was removed', async () => {
  const path = newPath();
  const owner = '00000000-0000-4000-8000-00000000000a';
  const store = createSqliteTaskStore({ path });
  rmSync(path);
  await expect(store.addTask(owner, { title: 'buy milk' }, { callId: 'once' })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('removed or replaced'),
  });
  await store.close();
});
