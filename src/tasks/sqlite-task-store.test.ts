import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openDatabase } from '../store/sqlite/open.ts';
import { createSqliteTaskStore, TASK_MIGRATIONS } from './sqlite-task-store.ts';
import { taskStoreContract } from './task-store-contract.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'tasks-')), 'tasks.db');

taskStoreContract('createSqliteTaskStore', async (options) => createSqliteTaskStore({ path: newPath(), ...options }));

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

it('takes over the tasks and call ids of the first version', async () => {
  const path = newPath();
  const [id, owner] = ['00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-00000000000a'];
  const [first = ''] = TASK_MIGRATIONS;
  const old = openDatabase({ path, migrations: [first] });
  const at = new Date().toISOString();
  old
    .prepare('INSERT INTO tasks (id, user_id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)')
    .run(id, owner, 'buy milk', at, at);
  const gone = '00000000-0000-4000-8000-0000000000f2';
  const request = createHash('sha256')
    .update(JSON.stringify(['delete', gone]))
    .digest('base64url');
  old.prepare('INSERT INTO task_calls VALUES (?, ?, ?, ?, ?)').run(owner, 'deleted before', request, 'true', at);
  old.close();
  const store = createSqliteTaskStore({ path });
  const task = { id, user_id: owner, title: 'buy milk', is_completed: false, created_at: at, updated_at: at };
  expect(await store.listTasks(owner, { filter: 'all' })).toEqual([task]);
  expect(await store.deleteTask(owner, gone, { callId: 'deleted before' })).toBe(true);
  await store.deleteTask(owner, id, { callId: 'delete' });
  expect(await store.undo(owner, {}, { callId: 'undo' })).toEqual({
    batch: 'delete',
    restored: [{ change: 'brought_back', task }],
  });
  await store.close();
});

it('purges the rows of a deleted task after 30 days', async () => {
  const path = newPath();
  const owner = '00000000-0000-4000-8000-00000000000a';
  let now = new Date('2026-11-16T09:00:00Z');
  const store = createSqliteTaskStore({ path, now: () => now });
  const { id } = await store.addTask(owner, { title: 'a secret' }, { callId: 'add' });
  await store.deleteTask(owner, id, { callId: 'delete' });
  const count = () => countRows(path);
  expect(count()).toEqual([1, 2, 2]);
  now = new Date('2026-12-16T09:00:01Z');
  await store.completeTask(owner, id, { callId: 'none' });
  expect(count()).toEqual([0, 0, 0]);
  await store.close();
});

function countRows(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = ['tasks', 'task_history', 'task_calls'].map((table) =>
    database.prepare(`SELECT count(*) AS count FROM ${table}`).get(),
  );
  database.close();
  return rows.map((row) => row?.count);
}

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
