import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { comparePositions, type Position, parsePosition } from '../../schema/position.ts';
import { ANN, auditOf, endTurn, eventOf, messageOf, NOW } from './fixtures.ts';
import type { World } from './world.ts';

export function describeWriteTurn(world: World): void {
  describe('writeTurn', () => {
    it('adds events, messages, audit, status, result and metadata', async () => {
      const turn = await world.begin({ metadata: { title: 'Milk', deep: { a: 1 } } });
      const audit = [auditOf(turn, ANN)];
      const write = { ...endTurn(turn), audit, metadata: { deep: { b: 2 }, seen: true } };
      expect(await world.store.readResult(ANN, turn.turnId)).toBeUndefined();
      await world.store.writeTurn(ANN, turn.lease, write);
      expect(await world.store.readEvents(ANN, turn.turnId)).toEqual([...turn.write.events, ...write.events]);
      expect(await world.store.readMessages(ANN, turn.conversationId)).toEqual([
        ...turn.write.messages,
        ...write.messages,
      ]);
      expect(await world.store.readTurn(ANN, turn.turnId)).toMatchObject({ status: 'completed' });
      expect(await world.store.readResult(ANN, turn.turnId)).toEqual(write.result);
      expect(await world.store.readConversation(ANN, turn.conversationId)).toMatchObject({
        message_count: 2,
        metadata: { title: 'Milk', deep: { b: 2 }, seen: true },
      });
      expect(await world.store.readAudit(ANN, { limit: 10 })).toEqual([{ ...audit[0], id: expect.any(String) }]);
    });

    it('counts texts of user and assistant only, and dates the conversation by its newest message', async () => {
      const turn = await world.begin();
      const later = new Date(Date.parse(NOW) + 5_000).toISOString();
      const messages = [
        messageOf('call'),
        messageOf('tool'),
        messageOf('assistant'),
        messageOf('tool', { timestamp: later }),
      ];
      await world.store.writeTurn(ANN, turn.lease, { events: [], messages });
      expect(await world.store.readConversation(ANN, turn.conversationId)).toMatchObject({
        message_count: 2,
        last_updated: later,
        last_activity: NOW,
      });
    });

    it('returns events in order of position, whatever the order of writing', async () => {
      const Places = fc.uniqueArray(fc.tuple(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 0, max: 3_000 })), {
        selector: String,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(Places, async (places) => {
          const turn = await world.begin();
          const events = places.map(([seq, offset]) => eventOf(turn, `1.${seq}.${offset}`));
          await Promise.all(events.map((event) => world.store.writeTurn(ANN, turn.lease, { events: [event] })));
          const ids = [...turn.write.events, ...events].map(({ id }) => id);
          const sorted = ids.sort((a, b) => comparePositions(parsePosition(a), parsePosition(b)));
          expect((await world.store.readEvents(ANN, turn.turnId)).map(({ id }) => id)).toEqual(sorted);
        }),
        { numRuns: 30 },
      );
    });

    it('returns the events after a position, of any attempt', async () => {
      const turn = await world.begin();
      const places = ['1.2.0', '1.2.10', '1.3.10', '1.10.10'];
      const events = places.map((place) => eventOf(turn, place));
      await world.store.writeTurn(ANN, turn.lease, { events, status: 'waiting' });
      const resumed = eventOf(turn, '2.1.0');
      await world.store.continueTurn(ANN, { turnId: turn.turnId, attempt: 2, write: { events: [resumed] } });
      const idsAfter = async (position: Omit<Position, 'turn'>) =>
        (await world.store.readEventsAfter(ANN, { turn: turn.turnId, ...position })).map(({ id }) => id);
      const all = [...turn.write.events, ...events, resumed].map(({ id }) => id);
      expect(await idsAfter({ attempt: 0, seq: 0, offset: 0 })).toEqual(all);
      expect(await idsAfter({ attempt: 1, seq: 2, offset: 5 })).toEqual(all.slice(2));
      expect(await idsAfter({ attempt: 1, seq: 3, offset: 10 })).toEqual(all.slice(4));
      expect(await idsAfter({ attempt: 1, seq: 10, offset: 10 })).toEqual(all.slice(5));
      expect(await idsAfter({ attempt: 2, seq: 1, offset: 0 })).toEqual([]);
    });

    it('refuses a second event at one position and writes nothing of that write', async () => {
      const turn = await world.begin();
      const doubled = {
        events: [eventOf(turn, '1.2.0'), eventOf(turn, '1.1.0')],
        messages: [messageOf('assistant')],
      };
      await expect(world.store.writeTurn(ANN, turn.lease, doubled)).rejects.toMatchObject({ code: 'internal' });
      expect(await world.store.readEvents(ANN, turn.turnId)).toEqual(turn.write.events);
      expect(await world.store.readMessages(ANN, turn.conversationId)).toEqual(turn.write.messages);
    });

    it('refuses an event of another turn or attempt', async () => {
      const turn = await world.begin();
      const strangers = [eventOf({ turnId: newUlid() }, '1.2.0'), eventOf(turn, '2.2.0')];
      for (const event of strangers) {
        await expect(world.store.writeTurn(ANN, turn.lease, { events: [event] })).rejects.toMatchObject({
          code: 'internal',
        });
      }
    });

    it('is rejected once the turn has ended', async () => {
      const turn = await world.beginAndEnd();
      const late = world.store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.9.0')] });
      await expect(late).rejects.toMatchObject({ code: 'turn_taken_over' });
    });

    it('is rejected once the conversation is deleted', async () => {
      const turn = await world.begin();
      await world.store.deleteConversation(ANN, turn.conversationId);
      const late = world.store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.9.0')] });
      await expect(late).rejects.toMatchObject({ code: 'turn_taken_over' });
    });

    it('is rejected for an older lease, and accepted for the newest', async () => {
      const turn = await world.beginAndDie();
      await world.store.recover();
      const lease = await world.store.continueTurn(ANN, { turnId: turn.turnId, attempt: 2, write: { events: [] } });
      if (!lease) throw new Error('not continued');
      const stale = [
        turn.lease,
        { ...lease, version: lease.version - 1 },
        { ...lease, attempt: 1 },
        { ...lease, runner: newUlid() },
      ];
      for (const old of stale) {
        await expect(world.store.writeTurn(ANN, old, { events: [] })).rejects.toMatchObject({
          code: 'turn_taken_over',
        });
      }
      await world.store.writeTurn(ANN, lease, { events: [eventOf(turn, '2.1.0')] });
      expect((await world.store.readEvents(ANN, turn.turnId)).at(-1)).toEqual(eventOf(turn, '2.1.0'));
    });
  });

  describe('continueTurn', () => {
    it('takes the next attempt at a waiting turn', async () => {
      const turn = await world.begin();
      await world.store.writeTurn(ANN, turn.lease, { events: [], status: 'waiting' });
      const later = new Date(Date.parse(NOW) + 60_000).toISOString();
      const resume = { ...eventOf(turn, '2.1.0', { type: 'turn-resume', reason: 'answer' }), at: later };
      const lease = await world.store.continueTurn(ANN, {
        turnId: turn.turnId,
        attempt: 2,
        write: { events: [resume] },
      });
      const { turnId, conversationId, lease: first } = turn;
      expect(lease).toEqual({ turnId, conversationId, attempt: 2, version: 2, runner: first.runner });
      expect(await world.store.readTurn(ANN, turn.turnId)).toMatchObject({ status: 'running', attempt: 2 });
      expect((await world.store.readEvents(ANN, turn.turnId)).at(-1)).toEqual(resume);
      expect(await world.store.readConversation(ANN, turn.conversationId)).toMatchObject({ last_activity: later });
    });

    it.each([1, 3])('refuses attempt %i after the first', async (attempt) => {
      const turn = await world.begin();
      await world.store.writeTurn(ANN, turn.lease, { events: [], status: 'waiting' });
      const next = { turnId: turn.turnId, attempt, write: { events: [] } };
      expect(await world.store.continueTurn(ANN, next)).toBeUndefined();
    });

    it('refuses a turn that runs, has ended, or is unknown', async () => {
      const running = await world.begin();
      const ended = await world.beginAndEnd();
      for (const turnId of [running.turnId, ended.turnId, newUlid()]) {
        expect(await world.store.continueTurn(ANN, { turnId, attempt: 2, write: { events: [] } })).toBeUndefined();
      }
    });

    it('refuses an interrupted turn while a newer one of its conversation is open', async () => {
      const old = await world.beginAndDie();
      await world.store.recover();
      const newer = await world.begin({ conversationId: old.conversationId });
      const next = { turnId: old.turnId, attempt: 2, write: { events: [] } };
      expect(await world.store.continueTurn(ANN, next)).toBeUndefined();
      await world.store.writeTurn(ANN, newer.lease, endTurn(newer));
      expect(await world.store.continueTurn(ANN, next)).toMatchObject({ attempt: 2 });
    });

    it('gives the turn to exactly one of many racing requests', async () => {
      const turn = await world.beginAndDie();
      const other = await world.open();
      const next = { turnId: turn.turnId, attempt: 2, write: { events: [] } };
      const stores = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? world.store : other));
      const leases = await Promise.all(stores.map((one) => one.continueTurn(ANN, next)));
      await other.close();
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });
  });
}
