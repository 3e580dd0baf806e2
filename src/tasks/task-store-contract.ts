import { describe, expect, it } from 'vitest';
import type { TaskStore } from './task-store.ts';
import { type MakeTaskStore, taskUndoContract } from './task-undo-contract.ts';

const ANN = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';
const NOBODY = '00000000-0000-4000-8000-0000000000ff';
const ALL = { filter: 'all' } as const;

/** The contract of every task store. */
export function taskStoreContract(name: string, makeStore: MakeTaskStore): void {
  taskUndoContract(name, makeStore);
  const withTask = async (title = 'buy milk') => {
    const store = await makeStore();
    return { store, task: await store.addTask(ANN, { title }, { callId: 'first' }) };
  };
  const titles = async (store: TaskStore, query: Parameters<TaskStore['listTasks']>[1]) =>
    (await store.listTasks(ANN, query)).map((task) => task.title);

  describe(name, () => {
    it('lists by due date, by state and by due day', async () => {
      const { store, task } = await withTask();
      await store.addTask(ANN, { title: 'call mom', due_date: '2026-11-16' }, { callId: 'second' });
      await store.addTask(ANN, { title: 'report', due_date: '2026-11-17T23:30:00-05:00' }, { callId: 'third' });
      await store.completeTask(ANN, task.id, { callId: 'fourth' });
      expect(await titles(store, ALL)).toEqual(['call mom', 'report', 'buy milk']);
      expect(await titles(store, { filter: 'pending' })).toEqual(['call mom', 'report']);
      expect(await titles(store, { filter: 'completed' })).toEqual(['buy milk']);
      expect(await titles(store, { filter: 'all', due: { from: '2026-11-17', to: '2026-11-17' } })).toEqual(['report']);
      expect(await titles(store, { filter: 'all', due: { to: '2026-11-16' } })).toEqual(['call mom']);
      expect(await titles(store, { filter: 'all', search: 'MILK' })).toEqual(['buy milk']);
      expect(await titles(store, { filter: 'all', search: '%' })).toEqual([]);
    });

    it('orders by due day, then by time, then newest first', async () => {
      const store = await makeStore();
      const tasks: [string, string?][] = [
        ['no date'],
        ['17, 09:00 in Berlin', '2026-11-17T09:00:00+01:00'],
        ['17, 02:30 in New York', '2026-11-17T02:30:00-05:00'],
        ['17, older', '2026-11-17'],
        ['no date, newer'],
        ['17, newer', '2026-11-17'],
        ['16, late in New York', '2026-11-16T23:30:00-05:00'],
        ['last year', '2025-12-31'],
      ];
      for (const [title, due_date] of tasks) await store.addTask(ANN, { title, due_date }, { callId: title });
      expect(await titles(store, ALL)).toEqual([
        'last year',
        '16, late in New York',
        '17, newer',
        '17, older',
        '17, 02:30 in New York',
        '17, 09:00 in Berlin',
        'no date, newer',
        'no date',
      ]);
    });

    it('lists a whole month, its first and last minute included', async () => {
      const store = await makeStore();
      const dues = ['2026-10-31T23:59:59Z', '2026-11-01', '2026-11-01T00:00:00Z', '2026-11-30T23:59:59Z', '2026-12-01'];
      for (const due_date of dues) await store.addTask(ANN, { title: due_date, due_date }, { callId: due_date });
      expect(await titles(store, { filter: 'all', due: { from: '2026-11-01', to: '2026-11-30' } })).toEqual(
        dues.slice(1, 4),
      );
    });

    it('reports each open task with a time once, in the order of the times', async () => {
      const store = await makeStore();
      const add = (title: string, due_date?: string) => store.addTask(ANN, { title, due_date }, { callId: title });
      await add('no date');
      await add('a day', '2026-11-16');
      const later = await add('at ten in Berlin', '2026-11-16T10:00:00+01:00');
      const first = await add('at eight in London', '2026-11-16T08:00:00Z');
      const done = await add('done', '2026-11-16T08:30:00Z');
      await store.completeTask(ANN, done.id, { callId: 'complete' });
      const gone = await add('deleted', '2026-11-16T08:30:00Z');
      await store.deleteTask(ANN, gone.id, { callId: 'delete' });
      const take = (until: string, after?: string) => store.takeDue(ANN, { after, until });
      const [before, eight, nine] = [
        '2026-11-16T07:59:59.999Z',
        '2026-11-16T08:00:00.000Z',
        '2026-11-16T09:00:00.000Z',
      ];
      expect(await take(before)).toEqual({ tasks: [], until: before, next: eight });
      expect(await take(eight)).toEqual({ tasks: [first], until: eight, next: nine });
      expect(await take(nine)).toEqual({ tasks: [later], until: nine });
      expect(await take(nine)).toEqual({ tasks: [], until: nine });
      expect(await take(nine, before)).toEqual({ tasks: [first, later], until: nine });
      await take(eight, before);
      expect(await take(nine)).toEqual({ tasks: [], until: nine });
      expect(await store.takeDue(BOB, { until: nine })).toEqual({ tasks: [], until: nine });
    });

    it('reports a task again when its time was moved', async () => {
      const store = await makeStore();
      const at = (hour: string) => `2026-11-16T${hour}:00:00.000Z`;
      const task = await store.addTask(ANN, { title: 'buy milk', due_date: at('08') }, { callId: 'add' });
      await store.takeDue(ANN, { until: at('09') });
      const moved = await store.updateTask(ANN, task.id, { due_date: at('10') }, { callId: 'move' });
      expect(await store.takeDue(ANN, { until: at('11') })).toEqual({ tasks: [moved], until: at('11') });
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
