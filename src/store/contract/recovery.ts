import { describe, expect, it } from 'vitest';
import { ANN, auditOf, endTurn, eventOf, NOW, newTurn, toolCall } from './fixtures.ts';
import type { World } from './world.ts';

export function describeRecovery(world: World): void {
  describe('interruptTurn', () => {
    it('interrupts a running turn as recovery does', async () => {
      const { lease, turnId, conversationId } = await world.begin();
      await world.store.interruptTurn(ANN, lease);
      expect(await world.store.readTurn(ANN, turnId)).toMatchObject({ status: 'interrupted', attempt: 1 });
      expect((await world.store.readEvents(ANN, turnId)).at(-1)).toMatchObject({ type: 'turn-interrupt' });
      const next = await world.store.continueTurn(ANN, { turnId, attempt: 2, write: { events: [] } });
      expect(next).toMatchObject({ turnId, conversationId, attempt: 2 });
    });

    it('refuses a lease that is no longer the newest', async () => {
      const { lease } = await world.begin();
      await world.store.interruptTurn(ANN, lease);
      await expect(world.store.interruptTurn(ANN, lease)).rejects.toMatchObject({ code: 'turn_taken_over' });
    });
  });

  describe('recover', () => {
    it('interrupts the turn of a dead process once', async () => {
      const turn = await world.beginAndDie();
      world.clock = new Date(world.clock.getTime() + 1_000);
      const { turnId, conversationId } = turn;
      expect(await world.store.recover()).toEqual([{ turnId, conversationId }]);
      expect(await world.store.recover()).toEqual([]);
      expect(await world.store.readTurn(ANN, turn.turnId)).toMatchObject({ status: 'interrupted', attempt: 1 });
      const interrupt = { ...eventOf(turn, '1.3.0', { type: 'turn-interrupt' }), at: world.clock.toISOString() };
      expect(await world.store.readEvents(ANN, turn.turnId)).toEqual([...turn.write.events, interrupt]);
    });

    it('happens when a store is opened', async () => {
      const turn = await world.beginAndDie();
      const other = await world.open();
      expect(await world.store.readTurn(ANN, turn.turnId)).toMatchObject({ status: 'interrupted' });
      await other.close();
    });

    it('leaves the turns of live processes alone, including its own', async () => {
      const own = await world.begin();
      const other = await world.open();
      expect([await world.store.recover(), await other.recover()]).toEqual([[], []]);
      expect(await world.store.readTurn(ANN, own.turnId)).toMatchObject({ status: 'running' });
      await world.store.writeTurn(ANN, own.lease, endTurn(own));
      await other.close();
    });

    it('leaves waiting and ended turns alone', async () => {
      const other = await world.open();
      const turns = [newTurn(), newTurn()];
      for (const [index, turn] of turns.entries()) {
        const begun = await other.beginTurn(ANN, turn);
        if (begun.outcome !== 'begun') throw new Error('not begun');
        const write = index === 0 ? { events: [], status: 'waiting' as const } : endTurn(turn);
        await other.writeTurn(ANN, begun.lease, write);
      }
      await other.close();
      expect(await world.store.recover()).toEqual([]);
      const statuses = await Promise.all(turns.map(({ turnId }) => world.store.readTurn(ANN, turnId)));
      expect(statuses.map((turn) => turn?.status)).toEqual(['waiting', 'completed']);
    });

    it('marks a running call unknown, with a message, an audit record and a position after the stored text', async () => {
      const turn = await world.beginAndDie({}, ['start', 'delta', 'run']);
      await world.store.recover();
      const events = await world.store.readEvents(ANN, turn.turnId);
      const end = events.find((event) => event.type === 'tool-call-end');
      const message = (await world.store.readMessages(ANN, turn.conversationId)).at(-1);
      expect(end).toEqual({
        id: `${turn.turnId}.1.5.5`,
        at: NOW,
        type: 'tool-call-end',
        message_id: message?.id,
        call: {
          ...toolCall(),
          state: 'unknown',
          sent_arguments: { title: 'milk', user_id: ANN.id },
          started_at: NOW,
          error: { error_type: 'ToolInvocationError', message: expect.stringContaining('It is unknown') },
        },
      });
      expect(events.at(-1)).toEqual({ id: `${turn.turnId}.1.6.5`, at: NOW, type: 'turn-interrupt' });
      const error = end?.type === 'tool-call-end' && end.call.error;
      expect(message).toMatchObject({
        content: JSON.stringify({ error }),
        role: 'tool',
        tool_call_id: 'call 1',
        metadata: { tool: 'add_task', state: 'unknown' },
      });
      expect(await world.store.readAudit(ANN, { limit: 10 })).toEqual([
        {
          ...auditOf(turn, ANN),
          id: expect.any(String),
          arguments: { title: 'milk', user_id: ANN.id },
          outcome: 'unknown: ToolInvocationError',
        },
      ]);
    });

    it.each([
      ['only pending', ['start']],
      ['waiting', ['start', 'wait']],
      ['ended', ['start', 'run', 'end']],
    ] as const)('leaves a call alone that is %s', async (_, steps) => {
      const turn = await world.beginAndDie({}, [...steps]);
      const before = (await world.store.readEvents(ANN, turn.turnId)).length;
      await world.store.recover();
      const events = await world.store.readEvents(ANN, turn.turnId);
      expect(events.slice(before).map(({ type }) => type)).toEqual(['turn-interrupt']);
      expect(await world.store.readAudit(ANN, { limit: 10 })).toEqual([]);
    });

    it('interrupts a turn once when two processes recover at the same time', async () => {
      const other = await world.open();
      const turn = await world.beginAndDie();
      const recovered = await Promise.all([
        world.store.recover(),
        other.recover(),
        world.store.recover(),
        other.recover(),
      ]);
      await other.close();
      expect(recovered.map((turns) => turns.length).sort()).toEqual([0, 0, 0, 1]);
      expect(await world.store.readEvents(ANN, turn.turnId)).toHaveLength(2);
    });
  });
}
