import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { parsePosition } from '../../schema/position.ts';
import { MAX_ATTEMPTS } from '../shared.ts';
import type { Store } from '../store.ts';
import { ANN, BOB, callEvents, endTurn, eventOf, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

export function describeSharedTurns(world: World): void {
  describe('the fence', () => {
    it('holds the runner: the lease of another process cannot be used, whatever attempt and version', async () => {
      const turn = await world.begin();
      const other = await world.open();
      const stranger = { ...turn.lease, runner: newUlid() };
      for (const store of [world.store, other]) {
        const writing = store.writeTurn(ANN, stranger, endTurn(turn));
        await expect(writing).rejects.toMatchObject({ code: 'turn_taken_over' });
      }
      await other.close();
      await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
    });
  });

  describe('readEventsAfter', () => {
    it('returns exactly the rest at every position', async () => {
      const turn = await world.begin();
      const events = callEvents(turn, ['start', 'delta', 'run', 'end']);
      await world.store.writeTurn(ANN, turn.lease, { events });
      const all = [...turn.write.events, ...events];
      for (const [index, event] of all.entries()) {
        const rest = await world.store.readEventsAfter(ANN, parsePosition(event.id));
        expect(rest).toEqual(all.slice(index + 1));
        expect(await world.store.readEventsAfter(BOB, parsePosition(event.id))).toEqual([]);
      }
    });
  });

  describe('requests', () => {
    const answer = { kind: 'answer', answers: [{ call_id: 'call 1', result: 'yes' }], key: 'k' } as const;

    it('are taken once, in order, by the process that runs the turn', async () => {
      const turn = await world.begin();
      const other = await world.open();
      expect(await other.requestTurn(ANN, turn.turnId, answer)).toBe(true);
      expect(await other.requestTurn(ANN, turn.turnId, { kind: 'cancel' })).toBe(true);
      expect(await world.store.takeRequests([newUlid()])).toEqual([]);
      const taken = await world.store.takeRequests([newUlid(), turn.turnId]);
      expect(taken).toEqual([
        { ...answer, turnId: turn.turnId },
        { kind: 'cancel', turnId: turn.turnId },
      ]);
      expect(await world.store.takeRequests([turn.turnId])).toEqual([]);
      await other.close();
    });

    it('survive the process that should have taken them', async () => {
      const dead = await world.open();
      const turn = newTurn();
      await dead.beginTurn(ANN, turn);
      await world.store.requestTurn(ANN, turn.turnId, { kind: 'cancel' });
      await dead.close();
      await world.store.recover();
      await world.store.continueTurn(ANN, { turnId: turn.turnId, attempt: 2, write: { events: [] } });
      expect(await world.store.takeRequests([turn.turnId])).toEqual([{ kind: 'cancel', turnId: turn.turnId }]);
    });

    it('are refused for a turn that does not run, and for the turn of another user', async () => {
      const ended = await world.beginAndEnd();
      const running = await world.begin();
      const cancel = { kind: 'cancel' } as const;
      expect(await world.store.requestTurn(ANN, ended.turnId, cancel)).toBe(false);
      expect(await world.store.requestTurn(BOB, running.turnId, cancel)).toBe(false);
      expect(await world.store.requestTurn(ANN, newUlid(), cancel)).toBe(false);
      expect(await world.store.takeRequests([ended.turnId, running.turnId])).toEqual([]);
    });

    it('end with their turn', async () => {
      const turn = await world.begin();
      await world.store.requestTurn(ANN, turn.turnId, { kind: 'cancel' });
      await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
      expect(await world.store.takeRequests([turn.turnId])).toEqual([]);
    });
  });

  describe('listToContinue', () => {
    const continues = { context: [{ description: 'page', value: 'home' }] };

    it('returns interrupted turns whose request asked to go on, with its facts', async () => {
      const left = await world.beginAndDie({ continues });
      await world.beginAndDie();
      await world.begin({ continues });
      await world.store.recover();
      const found = await world.store.listToContinue(10);
      expect(found).toEqual([
        { turn: await world.store.readTurn(ANN, left.turnId), userId: ANN.id, request: continues },
      ]);
    });

    it('forgets a turn that ended, that was replaced by a later turn, or that was tried too often', async () => {
      const [ended, passed, poison] = [
        await world.beginAndDie({ continues }),
        await world.beginAndDie({ continues }),
        await world.beginAndDie({ continues }),
      ];
      await world.store.recover();
      const next = (turnId: string, attempt: number) => ({ turnId, attempt, write: { events: [] } });
      const lease = await world.store.continueTurn(ANN, next(ended.turnId, 2));
      if (!lease) throw new Error('not taken');
      const end = eventOf(ended, '2.8.0', endTurn(ended).events[0]);
      await world.store.writeTurn(ANN, lease, { ...endTurn(ended), events: [end] });
      await world.begin({ conversationId: passed.conversationId });
      for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
        expect((await world.store.listToContinue(10)).map(({ turn }) => turn.id)).toEqual([poison.turnId]);
        const again = await world.store.continueTurn(ANN, next(poison.turnId, attempt));
        if (again) await world.store.interruptTurn(ANN, again);
      }
      expect(await world.store.listToContinue(10)).toEqual([]);
    });

    it('lets two processes that race for many turns take each of them once', async () => {
      const other = await world.open();
      const dead = await world.open();
      const turns = Array.from({ length: 200 }, () => newTurn({ continues }));
      await Promise.all(turns.map((turn) => dead.beginTurn(ANN, turn)));
      await dead.close();
      const recovered = await Promise.all([world.store.recover(), other.recover()]);
      const more = await Promise.all([world.store.recover(), other.recover()]);
      expect([...recovered, ...more].flat().map(({ turnId }) => turnId)).toHaveLength(200);
      const take = async (store: Store) =>
        Promise.all(turns.map(({ turnId }) => store.continueTurn(ANN, { turnId, attempt: 2, write: { events: [] } })));
      const leases = (await Promise.all([take(world.store), take(other)]))
        .flat()
        .filter((lease) => lease !== undefined);
      expect(new Set(leases.map(({ turnId }) => turnId)).size).toBe(200);
      expect(leases).toHaveLength(200);
      await other.close();
    });
  });
}
