import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../schema/conversation/event.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, BOB, callEvents, endTurn, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

type Run = Extract<EventBody, { type: 'tool-call-run' }>;

export function describeChildren(world: World): void {
  describe('a child', () => {
    const childOf = (turn: { turnId: string }, attempt = 1) =>
      newTurn({ agent: 'todo/checker', threadId: `child:${turn.turnId}:c1`, child: { turnId: turn.turnId, attempt } });

    it('is in no list, search or count, and is found by its thread', async () => {
      const turn = await world.begin();
      const child = childOf(turn);
      const begun = await world.store.beginTurn(ANN, child);
      expect(begun).toMatchObject({ outcome: 'begun' });
      const { store } = world;
      expect((await store.listConversations(ANN, { limit: 9 })).map(({ id }) => id)).toEqual([turn.conversationId]);
      const found = await store.searchConversations(ANN, { q: 'milk', limit: 9 });
      expect(found.map(({ id }) => id)).toEqual([turn.conversationId]);
      expect(await store.countActive('todo/checker', '2000-01-01T00:00:00.000Z')).toBe(0);
      const thread = await store.readThread(ANN, 'todo/checker', `child:${turn.turnId}:c1`);
      expect(thread?.id).toBe(child.conversationId);
      expect(await store.readThread(BOB, 'todo/checker', `child:${turn.turnId}:c1`)).toBeUndefined();
      expect(await store.readTurn(BOB, child.turnId)).toBeUndefined();
    });

    it('begins once, however many try', async () => {
      const turn = await world.begin();
      const other = await world.open();
      const tries = [world.store, other, world.store, other].map((store) => store.beginTurn(ANN, childOf(turn)));
      const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
      expect(outcomes.sort()).toEqual(['begun', 'busy', 'busy', 'busy']);
      await other.close();
    });

    it.each(['ended', 'of another attempt', 'of another user', 'missing'] as const)(
      'does not begin for a turn that is %s',
      async (kind) => {
        const turn = await world.begin();
        if (kind === 'ended') await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
        const child =
          kind === 'missing' ? childOf({ turnId: newUlid() }) : childOf(turn, kind.includes('attempt') ? 2 : 1);
        const user = kind === 'of another user' ? BOB : ANN;
        await expect(world.store.beginTurn(user, child)).rejects.toMatchObject({ code: 'turn_taken_over' });
        expect(await world.store.readConversation(user, child.conversationId)).toBeUndefined();
      },
    );

    it('is deleted with its turn, with everything below it', async () => {
      const turn = await world.begin();
      const child = childOf(turn);
      await world.store.beginTurn(ANN, child);
      const below = childOf(child);
      await world.store.beginTurn(ANN, below);
      expect(await world.store.deleteConversation(ANN, turn.conversationId)).toBe(true);
      for (const gone of [turn, child, below]) {
        expect(await world.store.readTurn(ANN, gone.turnId)).toBeUndefined();
        expect(await world.store.readEvents(ANN, gone.turnId)).toEqual([]);
        expect(await world.store.readMessages(ANN, gone.conversationId)).toEqual([]);
      }
    });

    it('takes none of the places that its user has', async () => {
      const turn = await world.begin();
      await world.store.beginTurn(ANN, childOf(turn));
      const limits = { turns: 2, turnsPerMinute: 2 };
      expect(await world.store.beginTurn(ANN, { ...newTurn(), limits })).toMatchObject({ outcome: 'begun' });
    });
  });

  const remote = { type: 'delegation', agent: 'freight', turn_id: 'task 7', remote: true } as const;
  it.each<[string, boolean, (run: Run) => EventBody]>([
    ['a resumable call, which ran on after a question,', true, (run) => run],
    ['a call with a task on another server', false, ({ call_id }) => ({ ...remote, call_id })],
  ])('%s stays open when its process dies', async (_what, isResumable, next) => {
    const turn = await world.beginAndDie({}, ['start']);
    await world.store.recover();
    const write = { events: [] };
    const lease = await world.store.continueTurn(ANN, { turnId: turn.turnId, attempt: 2, write });
    const [run] = callEvents(turn, ['run']);
    if (!lease || run?.type !== 'tool-call-run') throw new Error('not continued');
    const { at } = run;
    const begun = { ...run, id: `${turn.turnId}.2.1.0`, ...(isResumable && { resumable: true }) };
    await world.store.writeTurn(ANN, lease, { events: [begun, { ...next(run), id: `${turn.turnId}.2.2.0`, at }] });
    await world.store.interruptTurn(ANN, lease);
    const events = await world.store.readEvents(ANN, turn.turnId);
    expect(events.filter(({ type }) => type === 'tool-call-end')).toEqual([]);
    expect(events.at(-1)?.type).toBe('turn-interrupt');
  });
}
