import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, BOB, callEvents, DAY_MS, NOW, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

export function describeBeginTurn(world: World): void {
  describe('beginTurn', () => {
    it('creates the conversation, the turn and the message together', async () => {
      const turn = await world.begin({ threadId: 'thread 1', metadata: { title: 'Milk' } });
      expect(turn.lease).toEqual({
        turnId: turn.turnId,
        runner: expect.any(String),
        conversationId: turn.conversationId,
        attempt: 1,
        version: 1,
      });
      expect(await world.store.readConversation(ANN, turn.conversationId)).toEqual({
        id: turn.conversationId,
        thread_id: 'thread 1',
        agent: 'todo',
        created_at: NOW,
        last_updated: NOW,
        last_activity: NOW,
        message_count: 1,
        metadata: { title: 'Milk' },
      });
      expect(await world.store.readMessages(ANN, turn.conversationId)).toEqual(turn.write.messages);
      expect(await world.store.readEvents(ANN, turn.turnId)).toEqual(turn.write.events);
      expect(await world.store.readTurn(ANN, turn.turnId)).toEqual({
        id: turn.turnId,
        conversation_id: turn.conversationId,
        agent: 'todo',
        status: 'running',
        attempt: 1,
        created_at: NOW,
        is_active: true,
      });
    });

    it('continues a conversation whose turns have ended', async () => {
      const first = await world.beginAndEnd();
      const later = new Date(Date.parse(NOW) + 60_000).toISOString();
      const second = await world.begin({ conversationId: first.conversationId, now: later });
      expect(second.lease.version).toBe(2);
      expect(await world.store.readConversation(ANN, first.conversationId)).toMatchObject({
        created_at: NOW,
        last_updated: later,
        last_activity: later,
        message_count: 3,
      });
      expect(await world.store.readTurn(ANN, second.turnId)).toMatchObject({ parent: first.turnId, is_active: true });
    });

    it.each(['running', 'waiting'] as const)('is busy while the newest turn is %s', async (status) => {
      const first = await world.begin();
      if (status === 'waiting') {
        await world.store.writeTurn(ANN, first.lease, { events: callEvents(first, ['start', 'wait']), status });
      }
      const second = await world.store.beginTurn(ANN, newTurn({ conversationId: first.conversationId }));
      expect(second).toEqual({ outcome: 'busy', turn: await world.store.readTurn(ANN, first.turnId) });
      expect(second).toMatchObject({ turn: { id: first.turnId, status } });
    });

    it('is not blocked by an interrupted turn', async () => {
      const first = await world.beginAndDie();
      await world.store.recover();
      const second = await world.begin({ conversationId: first.conversationId });
      expect(second.lease.version).toBe(2);
    });

    it('is busy if another request has just created the thread, whatever the state of its turn', async () => {
      const first = await world.beginAndEnd({ threadId: 'thread' });
      const rival = await world.store.beginTurn(ANN, newTurn({ threadId: 'thread' }));
      expect(rival).toEqual({ outcome: 'busy', turn: await world.store.readTurn(ANN, first.turnId) });
    });

    it('lets exactly one of many racing requests create a thread', async () => {
      const other = await world.open();
      const stores = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? world.store : other));
      const begun = await Promise.all(stores.map((one) => one.beginTurn(ANN, newTurn({ threadId: 'race' }))));
      await other.close();
      const count = (outcome: string) => begun.filter((each) => each.outcome === outcome).length;
      expect([count('begun'), count('busy')]).toEqual([1, 19]);
    });

    it('keeps the threads of users and agents apart', async () => {
      await world.begin({ threadId: 'thread' });
      const others = [
        await world.store.beginTurn(BOB, newTurn({ threadId: 'thread' })),
        await world.store.beginTurn(ANN, newTurn({ threadId: 'thread', agent: 'retail' })),
      ];
      expect(others.map(({ outcome }) => outcome)).toEqual(['begun', 'begun']);
    });

    it('returns missing for a conversation that is unknown or of another agent', async () => {
      const turn = await world.beginAndEnd();
      const missing = [
        await world.store.beginTurn(ANN, newTurn({ conversationId: newUlid() })),
        await world.store.beginTurn(ANN, newTurn({ conversationId: turn.conversationId, agent: 'retail' })),
      ];
      expect(missing).toEqual([{ outcome: 'missing' }, { outcome: 'missing' }]);
    });

    it('returns the turn of a known key, even while that turn runs', async () => {
      const turn = await world.begin({ idempotencyKey: 'key', requestHash: 'hash' });
      const again = await world.store.beginTurn(ANN, newTurn({ idempotencyKey: 'key', requestHash: 'hash' }));
      expect(again).toEqual({
        outcome: 'known',
        turn: {
          id: turn.turnId,
          conversation_id: turn.conversationId,
          agent: 'todo',
          status: 'running',
          attempt: 1,
          created_at: NOW,
          is_active: true,
          idempotency_key: 'key',
          request_hash: 'hash',
        },
      });
      expect(await world.store.listConversations(ANN, { limit: 10 })).toHaveLength(1);
    });

    it('returns mismatch if the key was used for another request', async () => {
      await world.begin({ idempotencyKey: 'key', requestHash: 'hash' });
      const again = await world.store.beginTurn(ANN, newTurn({ idempotencyKey: 'key', requestHash: 'other' }));
      expect(again).toEqual({ outcome: 'mismatch' });
    });

    it('keeps the keys of users and agents apart', async () => {
      await world.begin({ idempotencyKey: 'key' });
      const others = [
        await world.store.beginTurn(BOB, newTurn({ idempotencyKey: 'key' })),
        await world.store.beginTurn(ANN, newTurn({ idempotencyKey: 'key', agent: 'retail' })),
      ];
      expect(others.map(({ outcome }) => outcome)).toEqual(['begun', 'begun']);
    });

    it('knows a key for a whole day, even if the clock is a day ahead', async () => {
      const turn = await world.begin({ idempotencyKey: 'key', requestHash: 'hash' });
      world.clock = new Date(world.clock.getTime() + 2 * DAY_MS);
      expect(await world.store.readTurnByKey(ANN, 'todo', 'key')).toMatchObject({ id: turn.turnId });
      const again = { idempotencyKey: 'key', requestHash: 'hash', now: world.clock.toISOString() };
      expect(await world.store.beginTurn(ANN, newTurn(again))).not.toMatchObject({ outcome: 'begun' });
    });

    it('forgets a key after three days', async () => {
      const old = await world.begin({ idempotencyKey: 'key', requestHash: 'hash' });
      world.clock = new Date(world.clock.getTime() + 3 * DAY_MS + 1);
      expect(await world.store.readTurnByKey(ANN, 'todo', 'key')).toBeUndefined();
      const turn = await world.begin({ idempotencyKey: 'key', requestHash: 'other', now: world.clock.toISOString() });
      expect(await world.store.readTurnByKey(ANN, 'todo', 'key')).toMatchObject({ id: turn.turnId });
      expect(await world.store.readTurn(ANN, old.turnId)).not.toHaveProperty('idempotency_key');
    });
  });
}
