import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '../schema/task.ts';
import { KEPT_MS, type TaskStore } from './task-store.ts';

const ANN = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';
const ALL = { filter: 'all' } as const;

/** A temporary store may skip the disk: the property below opens many. */
export type MakeTaskStore = (options?: { now?: () => Date; isTemporary?: boolean }) => Promise<TaskStore>;

/** A user's conversation with a store. Every call has an own id, and every reading of the clock an own time. */
async function openTalk(makeStore: MakeTaskStore, isTemporary = false) {
  let calls = 0;
  let nowMs = Date.parse('2026-11-16T09:00:00Z');
  const store = await makeStore({ now: () => new Date(nowMs++), isTemporary });
  const call = (turnId?: string, conversationId = 'talk') => ({ callId: `call ${++calls}`, turnId, conversationId });
  const undo = (turnId?: string, batch?: string) => store.undo(ANN, { batch }, call(turnId));
  return {
    store,
    call,
    undo,
    list: () => store.listTasks(ANN, ALL),
    add: (title: string, turnId?: string) => store.addTask(ANN, { title }, call(turnId)),
    later: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** The part of a task store's contract that deals with history: soft deletion, undo, purging. */
export function taskUndoContract(name: string, makeStore: MakeTaskStore): void {
  const open = () => openTalk(makeStore);

  describe(`${name}: undo`, () => {
    it('takes a whole turn back as one step, and back again', async () => {
      const { store, call, undo, list, add } = await open();
      const milk = await add('buy milk', 'turn 1');
      const rent = await add('pay rent', 'turn 1');
      const before = await list();
      await store.completeTask(ANN, milk.id, call('turn 2'));
      await store.updateTask(ANN, rent.id, { title: 'pay the rent', due_date: '2026-12-01' }, call('turn 2'));
      await store.deleteTask(ANN, milk.id, call('turn 2'));
      const [changed] = await list();
      const bread = await add('buy bread', 'turn 2');
      const after = await list();
      expect(await undo('turn 3')).toEqual({
        batch: 'turn 2',
        restored: [
          { change: 'brought_back', task: milk },
          { change: 'changed', task: rent, was: changed },
          { change: 'removed', task: bread },
        ],
      });
      expect(await list()).toEqual(before);
      expect(await undo('turn 4')).toMatchObject({ batch: 'turn 3' });
      expect(await list()).toEqual(after);
    });

    it('says which tasks are open or done again', async () => {
      const { store, call, undo, add } = await open();
      const task = await add('buy milk', 'turn 1');
      const done = await store.completeTask(ANN, task.id, call('turn 2'));
      expect(await undo('turn 3')).toMatchObject({ restored: [{ change: 'reopened', task, was: done }] });
      expect(await undo('turn 4')).toMatchObject({ restored: [{ change: 'completed', task: done, was: task }] });
    });

    it('means the last changing turn of the conversation, or a named one', async () => {
      const { store, call, undo, list, add } = await open();
      const milk = await add('buy milk', 'turn 1');
      await store.addTask(ANN, { title: 'elsewhere' }, call('turn x', 'another talk'));
      await store.completeTask(ANN, '00000000-0000-4000-8000-0000000000ff', call('turn 2'));
      expect(await undo('turn 3', 'turn x')).toMatchObject({ restored: [{ task: { title: 'elsewhere' } }] });
      expect(await undo('turn 4', 'turn 1')).toEqual({
        batch: 'turn 1',
        restored: [{ change: 'removed', task: milk }],
      });
      expect(await list()).toEqual([]);
    });

    it('means the last change of the user where there is no conversation', async () => {
      const { store, call, list, add } = await open();
      const milk = await add('buy milk', 'turn 1');
      await store.addTask(BOB, { title: 'not mine' }, call('turn b'));
      expect(await store.undo(ANN, {}, { callId: 'undo' })).toEqual({
        batch: 'turn 1',
        restored: [{ change: 'removed', task: milk }],
      });
      expect(await store.undo(ANN, {}, { callId: 'undo again', conversationId: '' })).toMatchObject({ batch: 'undo' });
      expect(await list()).toEqual([milk]);
    });

    it('undoes a call outside a turn alone', async () => {
      const { store, call, undo, list, add } = await open();
      const milk = await add('buy milk');
      await store.deleteTask(ANN, milk.id, call());
      await undo();
      expect(await list()).toEqual([milk]);
    });

    it('goes one more step back with each undo of the same turn', async () => {
      const { store, call, undo, list, add } = await open();
      const milk = await add('buy milk', 'turn 1');
      await store.updateTask(ANN, milk.id, { title: 'buy oat milk' }, call('turn 2'));
      await store.completeTask(ANN, milk.id, call('turn 3'));
      const after = await list();
      expect(await undo('turn 4')).toMatchObject({ batch: 'turn 3' });
      expect(await undo('turn 4')).toMatchObject({ batch: 'turn 2' });
      expect(await list()).toEqual([milk]);
      expect(await undo('turn 5')).toMatchObject({ batch: 'turn 4' });
      expect(await list()).toEqual(after);
    });

    it('does nothing and names the task when another batch changed it since', async () => {
      const { store, call, undo, list, add } = await open();
      const milk = await add('buy milk', 'turn 1');
      await add('pay rent', 'turn 1');
      const changed = await store.updateTask(ANN, milk.id, { title: 'buy oat milk' }, call('turn x', 'another talk'));
      const before = await list();
      expect(await undo('turn 2')).toEqual({ changedSince: [changed] });
      expect(await list()).toEqual(before);
      await store.deleteTask(ANN, milk.id, call('turn x', 'another talk'));
      expect(await undo('turn 2')).toEqual({ changedSince: [changed] });
    });

    it('has nothing to undo without a change, for an unknown batch and for that of another user', async () => {
      const { store, call, undo } = await open();
      await store.addTask(BOB, { title: 'not mine' }, call('turn b'));
      expect([await undo('turn 1'), await undo('turn 2', 'turn b'), await undo('turn 3', 'nothing')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await store.listTasks(BOB, ALL)).toHaveLength(1);
    });

    it('is made once however often its call is sent', async () => {
      const { store, list, add } = await open();
      await add('buy milk', 'turn 1');
      const call = { callId: 'undo', turnId: 'turn 2', conversationId: 'talk' };
      const undone = await store.undo(ANN, {}, call);
      expect(await store.undo(ANN, {}, call)).toEqual(undone);
      expect(await list()).toEqual([]);
      await expect(store.undo(ANN, { batch: 'turn 1' }, call)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    });

    it('finds no task that was deleted: not by completing, changing or deleting it again', async () => {
      const { store, call, list, add } = await open();
      const { id } = await add('buy milk');
      expect(await store.deleteTask(ANN, id, call())).toBe(true);
      expect(await store.completeTask(ANN, id, call())).toBeUndefined();
      expect(await store.updateTask(ANN, id, { title: 'x' }, call())).toBeUndefined();
      expect(await store.deleteTask(ANN, id, call())).toBe(false);
      expect(await list()).toEqual([]);
    });

    it('is possible for 30 days', async () => {
      const { store, call, undo, list, add, later } = await open();
      const milk = await add('buy milk', 'turn 1');
      await store.deleteTask(ANN, milk.id, call('turn 2'));
      later(KEPT_MS - 60_000);
      await undo('turn 3');
      expect(await list()).toEqual([milk]);
      later(KEPT_MS + 120_000);
      await add('pay rent', 'turn 4');
      expect(await undo('turn 5', 'turn 3')).toBeUndefined();
      expect((await list()).map(({ title }) => title)).toEqual(['pay rent', 'buy milk']);
    });

    it('is gone with the tasks of an erased user, and with nobody else', async () => {
      const { store, call, undo, list, add } = await open();
      await add('buy milk', 'turn 1');
      await store.addTask(BOB, { title: 'not mine' }, call('turn b'));
      await store.eraseUser(ANN);
      expect([await list(), await undo('turn 2'), await undo('turn 3', 'turn 1')]).toEqual([[], undefined, undefined]);
      expect(await store.listTasks(BOB, ALL)).toHaveLength(1);
    });

    it('restores the exact former list after any turn, and the later one when it is undone', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(turnArbitrary, { minLength: 1, maxLength: 12 }), async (turns) => {
          await playTurns(await openTalk(makeStore, true), turns);
        }),
        { numRuns: 200 },
      );
    });
  });
}

const indexArbitrary = fc.nat({ max: 5 });
const stepArbitrary = fc.oneof(
  fc.record({ do: fc.constant('add' as const), title: fc.string({ minLength: 1, maxLength: 8 }) }),
  fc.record({ do: fc.constantFrom('complete' as const, 'delete' as const, 'reopen' as const), index: indexArbitrary }),
  fc.record({ do: fc.constant('rename' as const), index: indexArbitrary, title: fc.string({ maxLength: 8 }) }),
  fc.record({ do: fc.constant('due' as const), index: indexArbitrary, due: fc.option(fc.constant('2026-12-01')) }),
  fc.record({ do: fc.constantFrom('complete all' as const, 'delete all' as const) }),
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;
const turnArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.array(stepArbitrary, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant('undo' as const) },
);

type Talk = Awaited<ReturnType<typeof openTalk>>;

/** Plays turns; after each, the list before the last changing turn is the list that an undo must restore. */
async function playTurns(talk: Talk, turns: readonly (Step[] | 'undo')[]): Promise<void> {
  let former: Task[] | undefined;
  let count = 0;
  for (const turn of [...turns, 'undo' as const, 'undo' as const]) {
    const turnId = `turn ${++count}`;
    const before = await talk.list();
    if (turn === 'undo') {
      await talk.undo(turnId);
      expect(await talk.list()).toEqual(former ?? before);
      if (former) former = before;
      continue;
    }
    let changes = 0;
    for (const step of turn) changes += await takeStep(talk, step, turnId);
    if (changes > 0) former = before;
  }
}

/** Returns the number of changes. */
async function takeStep({ store, call, list, add }: Talk, step: Step, turnId: string): Promise<number> {
  if (step.do === 'add') {
    await add(step.title, turnId);
    return 1;
  }
  const tasks = await list();
  const chosen = 'index' in step ? tasks.slice(step.index, step.index + 1) : tasks;
  for (const { id } of chosen) {
    if (step.do === 'complete' || step.do === 'complete all') await store.completeTask(ANN, id, call(turnId));
    else if (step.do === 'delete' || step.do === 'delete all') await store.deleteTask(ANN, id, call(turnId));
    else await store.updateTask(ANN, id, toChange(step), call(turnId));
  }
  const isCompleting = step.do === 'complete' || step.do === 'complete all';
  return chosen.filter((task) => !isCompleting || !task.is_completed).length;
}

function toChange(step: Exclude<Step, { do: 'add' }>) {
  if (step.do === 'rename') return { title: step.title };
  if (step.do === 'due') return step.due === null ? { clear: ['due_date' as const] } : { due_date: step.due };
  return { is_completed: false };
}
