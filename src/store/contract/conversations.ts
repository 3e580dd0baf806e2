import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { ANN, auditOf, endTurn, messageOf, NOW, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

export function describeConversations(world: World): void {
  describe('reading', () => {
    it('readNewestTurn returns the turn that began last', async () => {
      const first = await world.beginAndEnd();
      const second = await world.begin({ conversationId: first.conversationId });
      expect(await world.store.readNewestTurn(ANN, first.conversationId)).toEqual(
        await world.store.readTurn(ANN, second.turnId),
      );
    });

    it('readNextTurn returns the turns of a conversation in sequence', async () => {
      const first = await world.beginAndEnd();
      const { conversationId } = first;
      await world.beginAndEnd();
      const second = await world.beginAndEnd({ conversationId });
      const third = await world.begin({ conversationId });
      const next = async ({ turnId }: { turnId: string }) => (await world.store.readNextTurn(ANN, turnId))?.id;
      expect([await next(first), await next(second), await next(third)]).toEqual([
        second.turnId,
        third.turnId,
        undefined,
      ]);
    });

    it('readTurnByKey returns the turn of a key', async () => {
      const turn = await world.begin({ idempotencyKey: 'key' });
      expect(await world.store.readTurnByKey(ANN, 'todo', 'key')).toEqual(await world.store.readTurn(ANN, turn.turnId));
      expect(await world.store.readTurnByKey(ANN, 'retail', 'key')).toBeUndefined();
    });

    it('countActive counts the conversations of an agent since a time, of every user', async () => {
      const before = new Date(Date.parse(NOW) - 1).toISOString();
      const after = new Date(Date.parse(NOW) + 1).toISOString();
      const { conversationId } = await world.beginAndEnd();
      await world.begin();
      await world.begin({ threadId: 'call:a:1' });
      const count = async (agent: string, since: string) => world.store.countActive(agent, since);
      expect([await count('todo', before), await count('todo', after), await count('retail', before)]).toEqual([
        2, 0, 0,
      ]);
      await world.store.touchConversation(ANN, conversationId, after);
      expect(await count('todo', after)).toBe(1);
    });

    it('readThread returns the conversation of a thread', async () => {
      const turn = await world.begin({ threadId: 'thread' });
      const conversation = await world.store.readConversation(ANN, turn.conversationId);
      expect(await world.store.readThread(ANN, 'todo', 'thread')).toEqual(conversation);
      expect(await world.store.readThread(ANN, 'retail', 'thread')).toBeUndefined();
    });

    it('readNewestThread returns the newest thread with a prefix, of this user and agent', async () => {
      await world.begin({ threadId: 'call:a:1' });
      const second = await world.begin({ threadId: 'call:a:2' });
      await world.begin({ threadId: 'call:ab' });
      const found = async (prefix: string, agent = 'todo') =>
        (await world.store.readNewestThread(ANN, agent, prefix))?.id;
      expect(await found('call:a:')).toBe(second.conversationId);
      expect([await found('call:a%'), await found('CALL:a:'), await found('call:a:', 'retail')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('lists and finds no single calls', async () => {
      const { conversationId } = await world.beginAndEnd({ threadId: 'thread' });
      await world.beginAndEnd({ threadId: 'call:a:1' });
      const ids = (listed: readonly { id: string }[]) => listed.map(({ id }) => id);
      expect(ids(await world.store.listConversations(ANN, { limit: 10 }))).toEqual([conversationId]);
      const all = await world.store.readMessages(ANN, conversationId);
      const q = all[0]?.content.split(' ')[0] ?? '';
      expect(ids(await world.store.searchConversations(ANN, { q, limit: 10 }))).toEqual([conversationId]);
    });

    it('readMessages returns all, or the newest in order', async () => {
      const turn = await world.beginAndEnd();
      const next = await world.beginAndEnd({ conversationId: turn.conversationId });
      const all = await world.store.readMessages(ANN, turn.conversationId);
      expect(all.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      expect(all[2]).toEqual(next.write.messages[0]);
      expect(await world.store.readMessages(ANN, turn.conversationId, { last: 3 })).toEqual(all.slice(1));
      expect(await world.store.readMessages(ANN, turn.conversationId, { last: 0 })).toEqual([]);
      expect(await world.store.readMessages(ANN, turn.conversationId, { exceptTurn: next.turnId })).toEqual(
        all.slice(0, 2),
      );
    });

    it('readMessages counts texts: a call and its result come with the text after them', async () => {
      const turn = await world.begin();
      const messages = [messageOf('call'), messageOf('tool'), messageOf('assistant')];
      await world.store.writeTurn(ANN, turn.lease, { events: [], messages });
      const read = (last: number) => world.store.readMessages(ANN, turn.conversationId, { last });
      expect(await read(2)).toEqual([...turn.write.messages, ...messages]);
      expect(await read(1)).toEqual(messages.slice(-1));
    });

    it('listConversations pages by activity, newest first, and by agent', async () => {
      const turns = [
        await world.begin(),
        await world.begin({ agent: 'retail' }),
        await world.begin(),
        await world.begin(),
      ];
      const ids = turns.map(({ conversationId }) => conversationId);
      await world.store.touchConversation(ANN, ids[0] ?? '', new Date(Date.parse(NOW) + 1_000).toISOString());
      const expected = [ids[0], ids[3], ids[2], ids[1]];
      const listIds = async (page: Parameters<Store['listConversations']>[1]) =>
        (await world.store.listConversations(ANN, page)).map(({ id }) => id);
      expect(await listIds({ limit: 10 })).toEqual(expected);
      expect(await listIds({ limit: 2 })).toEqual(expected.slice(0, 2));
      expect(await listIds({ limit: 2, before: ids[3] ?? '' })).toEqual(expected.slice(2));
      expect(await listIds({ limit: 10, agent: 'retail' })).toEqual([ids[1]]);
    });

    it('readAudit pages newest first', async () => {
      const turn = await world.begin();
      const audit = ['one', 'two', 'three'].map((outcome) => ({ ...auditOf(turn, ANN), outcome }));
      await world.store.writeTurn(ANN, turn.lease, { events: [], audit });
      const page = await world.store.readAudit(ANN, { limit: 2 });
      const rest = await world.store.readAudit(ANN, { limit: 2, before: page.at(-1)?.id ?? '' });
      expect([...page, ...rest].map(({ outcome }) => outcome)).toEqual(['three', 'two', 'one']);
    });
  });

  describe('touchConversation', () => {
    it('moves the activity forward, never back, and nothing else', async () => {
      const turn = await world.begin();
      const before = await world.store.readConversation(ANN, turn.conversationId);
      const later = new Date(Date.parse(NOW) + 1_000).toISOString();
      await world.store.touchConversation(ANN, turn.conversationId, later);
      await world.store.touchConversation(ANN, turn.conversationId, NOW);
      expect(await world.store.readConversation(ANN, turn.conversationId)).toEqual({ ...before, last_activity: later });
    });
  });

  describe('deleteConversation', () => {
    it('deletes everything in it, frees its thread and key, and keeps the rest and the audit', async () => {
      const kept = await world.begin();
      const gone = await world.begin({ threadId: 'thread', idempotencyKey: 'key' });
      await world.store.writeTurn(ANN, gone.lease, { ...endTurn(gone), audit: [auditOf(gone, ANN)] });
      const deleted = [gone.conversationId, gone.conversationId].map((id) => world.store.deleteConversation(ANN, id));
      expect(await Promise.all(deleted)).toEqual([true, false]);
      expect(await world.store.readConversation(ANN, gone.conversationId)).toBeUndefined();
      expect(await world.store.readThread(ANN, 'todo', 'thread')).toBeUndefined();
      expect(await world.store.readTurn(ANN, gone.turnId)).toBeUndefined();
      expect(await world.store.readTurnByKey(ANN, 'todo', 'key')).toBeUndefined();
      expect(await world.store.readEvents(ANN, gone.turnId)).toEqual([]);
      expect(await world.store.readMessages(ANN, gone.conversationId)).toEqual([]);
      expect(await world.store.readMessages(ANN, kept.conversationId)).toEqual(kept.write.messages);
      expect(await world.store.readEvents(ANN, kept.turnId)).toEqual(kept.write.events);
      expect(await world.store.readAudit(ANN, { limit: 10 })).toHaveLength(1);
      await world.begin({ threadId: 'thread', idempotencyKey: 'key' });
    });
  });

  describe('close', () => {
    it('writes earlier submissions, and refuses later ones', async () => {
      const turn = newTurn();
      const begun = world.store.beginTurn(ANN, turn);
      await Promise.all([world.store.close(), world.store.close()]);
      expect(await begun).toMatchObject({ outcome: 'begun' });
      await expect(world.store.beginTurn(ANN, newTurn())).rejects.toMatchObject({ code: 'store_unavailable' });
      await expect(world.store.readTurn(ANN, turn.turnId)).rejects.toMatchObject({ code: 'store_unavailable' });
    });
  });
}
