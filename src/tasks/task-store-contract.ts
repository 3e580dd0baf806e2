import { describe, expect, it } from 'vitest';
import type { TaskStore } from './task-store.ts';

const ANN = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';
const NOBODY = '00000000-0000-4000-8000-0000000000ff';
const ALL = { filter: 'all' } as const;

/** What every store of tasks must do. */
export function taskStoreContract(name: string, makeStore: () => Promise<TaskStore>): void {
  const withTask = async (title = 'buy milk') => {
    const store = await makeStore();
    return { store, task: await store.addTask(ANN, { title }, { callId: 'first' }) };
  };
  const titles = async (store: TaskStore, query: Parameters<TaskStore['listTasks']>[1]) =>
    (await store.listTasks(ANN, query)).map((task) => task.title);

  describe(name, () => {
    it('lists newest first, by state and by due day', async () => {
      const { store, task } = await withTask();
      await store.addTask(ANN, { title: 'call mom', due_date: '2026-11-16' }, { callId: 'second' });
      await store.addTask(ANN, { title: 'report', due_date: '2026-11-17T23:30:00-05:00' }, { callId: 'third' });
      await store.completeTask(ANN, task.id, { callId: 'fourth' });
      expect(await titles(store, ALL)).toEqual(['report', 'call mom', 'buy milk']);
      expect(await titles(store, { filter: 'pending' })).toEqual(['report', 'call mom']);
      expect(await titles(store, { filter: 'completed' })).toEqual(['buy milk']);
      expect(await titles(store, { filter: 'all', due: { from: '2026-11-17', to: '2026-11-17' } })).toEqual(['report']);
      expect(await titles(store, { filter: 'all', due: { to: '2026-11-16' } })).toEqual(['call mom']);
      expect(await titles(store, { filter: 'all', search: 'MILK' })).toEqual(['buy milk']);
      expect(await titles(store, { filter: 'all', search: '%' })).toEqual([]);
    });

    it('changes only what is named and keeps the rest', async () => {
      const { store, task } = await withTask();
      const changed = await store.updateTask(ANN, task.id, { due_date: '2026-11-16' }, { callId: 'second' });
      expect(changed).toEqual({ ...task, due_date: '2026-11-16', updated_at: changed?.updated_at });
    });

    it('takes a due date and a description away, and nothing else', async () => {
      const { store, task } = await withTask();
      const full = { description: 'two bottles', due_date: '2026-11-16' };
      await store.updateTask(ANN, task.id, full, { callId: 'second' });
      const undated = await store.updateTask(ANN, task.id, { clear: ['due_date'] }, { callId: 'third' });
      expect(undated).toEqual({ ...task, description: 'two bottles', updated_at: undated?.updated_at });
      const bare = await store.updateTask(ANN, task.id, { clear: ['description'] }, { callId: 'fourth' });
      expect(bare).toEqual({ ...task, updated_at: bare?.updated_at });
    });

    it('opens a completed task again and completes an open one', async () => {
      const { store, task } = await withTask();
      await store.completeTask(ANN, task.id, { callId: 'second' });
      const open = await store.updateTask(ANN, task.id, { is_completed: false }, { callId: 'third' });
      expect(open).toEqual({ ...task, updated_at: open?.updated_at });
      expect(await store.updateTask(ANN, task.id, { is_completed: true }, { callId: 'fourth' })).toMatchObject({
        is_completed: true,
        completed_at: expect.any(String),
      });
    });

    it('keeps a completed task as it is when it is completed again', async () => {
      const { store, task } = await withTask();
      const completed = await store.completeTask(ANN, task.id, { callId: 'second' });
      expect(completed).toMatchObject({ is_completed: true, completed_at: expect.any(String) });
      expect(await store.completeTask(ANN, task.id, { callId: 'third' })).toEqual(completed);
    });

    it('deletes once', async () => {
      const { store, task } = await withTask();
      expect(await store.deleteTask(ANN, task.id, { callId: 'second' })).toBe(true);
      expect(await store.deleteTask(ANN, task.id, { callId: 'third' })).toBe(false);
    });

    it('answers for the task of another user as for none', async () => {
      const { store, task } = await withTask();
      for (const id of [task.id, NOBODY]) {
        expect(await store.completeTask(BOB, id, { callId: `c${id}` })).toBeUndefined();
        expect(await store.updateTask(BOB, id, { title: 'mine' }, { callId: `u${id}` })).toBeUndefined();
        expect(await store.deleteTask(BOB, id, { callId: `d${id}` })).toBe(false);
      }
      expect(await store.listTasks(BOB, ALL)).toEqual([]);
      expect(await store.listTasks(ANN, ALL)).toEqual([task]);
    });

    it('makes a change once however often its call is sent, with the same answer', async () => {
      const { store, task } = await withTask();
      expect(await store.addTask(ANN, { title: 'buy milk' }, { callId: 'first' })).toEqual(task);
      const renamed = await store.updateTask(ANN, task.id, { title: 'buy oat milk' }, { callId: 'second' });
      await store.updateTask(ANN, task.id, { title: 'buy rice' }, { callId: 'third' });
      expect(await store.updateTask(ANN, task.id, { title: 'buy oat milk' }, { callId: 'second' })).toEqual(renamed);
      expect(await store.deleteTask(ANN, task.id, { callId: 'fourth' })).toBe(true);
      expect(await store.deleteTask(ANN, task.id, { callId: 'fourth' })).toBe(true);
      expect(await store.listTasks(ANN, ALL)).toEqual([]);
    });

    it('refuses a call id that stands for another change, and changes nothing', async () => {
      const { store, task } = await withTask();
      await expect(store.addTask(ANN, { title: 'call mom' }, { callId: 'first' })).rejects.toMatchObject({
        code: 'idempotency_mismatch',
      });
      expect(await store.listTasks(ANN, ALL)).toEqual([task]);
    });

    it('keeps the call ids of users apart', async () => {
      const { store } = await withTask();
      await store.addTask(BOB, { title: 'call mom' }, { callId: 'first' });
      expect((await store.listTasks(BOB, ALL)).map((task) => task.title)).toEqual(['call mom']);
    });
  });
}
