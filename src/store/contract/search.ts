import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schema/json.ts';
import { ANN, BOB, NOW, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

const at = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

/** Every store finds the same conversations for the same words. */
export function describeSearch(world: World): void {
  describe('searching', () => {
    const ask = (content: string, more = {}) => world.beginAndEnd({ content, ...more });
    const find = async (q: string, more = {}) =>
      (await world.store.searchConversations(ANN, { q, limit: 10, ...more })).map(({ id }) => id);

    it.each([
      ['buy some Crème Brûlée', 'creme brulee'],
      ['die STRASSE kehren', 'straße'],
      ['İstanbul gezisi', 'istanbul'],
      ['Łódź and Ærø', 'lodz aero'],
      ['ΟΔΟΣ', 'οδος'],
      ['买牛奶', '牛奶'],
      ['order no. A-4711/b', '4711'],
      ['buy milk tomorrow', 'tomorrow bu'],
      ['buy milk tomorrow', 'MILK'],
    ])('%j is found by %j', async (content, q) => {
      const { conversationId } = await ask(content);
      expect(await find(q)).toEqual([conversationId]);
    });

    it.each(['mil buy', 'milk bread', 'ilk', '', '???', '"', '\u0000', '👍'])(
      '"buy milk" is not found by %j',
      async (q) => {
        await ask('buy milk');
        expect(await find(q)).toEqual([]);
      },
    );

    it.each([
      '"buy" OR bread',
      'buy NOT milk',
      'NEAR(buy milk)',
      'text : buy',
      'bread^ -milk',
      'mi*lk',
      '{text}: milk',
      "'; DROP TABLE search; --",
      'buy AND milk',
      '(((((',
    ])('takes %j for plain words', async (q) => {
      await ask('buy milk');
      expect(await find(q)).toEqual([]);
    });

    it('takes words that are operators elsewhere for words', async () => {
      const { conversationId } = await ask('this OR that, NOT both AND never NEAR');
      for (const q of ['or', 'NOT both', 'AND never', 'near']) expect(await find(q)).toEqual([conversationId]);
    });

    it('finds the newest activity first, page by page, of one agent', async () => {
      const first = await ask('buy milk', { now: at(1) });
      const second = await ask('buy more milk', { now: at(2) });
      const other = await ask('milk prices', { now: at(3), agent: 'retail' });
      const all = [other, second, first].map(({ conversationId }) => conversationId);
      expect(await find('milk')).toEqual(all);
      expect(await find('milk', { limit: 1 })).toEqual(all.slice(0, 1));
      expect(await find('milk', { before: all[0] })).toEqual(all.slice(1));
      expect(await find('milk', { agent: 'todo' })).toEqual(all.slice(1));
    });

    it('finds answers and later messages, each conversation once, with the text around the newest hit', async () => {
      const { conversationId } = await ask('buy milk');
      await ask('and milk again', { conversationId });
      expect(await world.store.searchConversations(ANN, { q: 'milk', limit: 10 })).toMatchObject([
        { id: conversationId, preview: 'and milk again', status: 'completed' },
      ]);
      expect(await find('done')).toEqual([conversationId]);
    });

    it('shows at most 160 characters around the hit, as one clean line', async () => {
      await ask(`${'before '.repeat(200)}\u202e needle\n\u001b[31m${' after'.repeat(200)}`);
      const [found] = await world.store.searchConversations(ANN, { q: 'need', limit: 1 });
      expect(found?.preview).toMatch(/^…(before )+needle( after)+ \w*…$/);
      expect(found?.preview?.length).toBeLessThanOrEqual(160);
    });

    it('leaves out texts that have left the active path', async () => {
      const first = await ask('buy bread', { clientId: 'm1' });
      const { conversationId, turnId } = first;
      await ask('buy butter', { conversationId, clientId: 'm1', replaces: { turnId, head: turnId } });
      expect([await find('bread'), await find('butter')]).toEqual([[], [conversationId]]);
    });

    it('forgets a deleted conversation, also if a new one takes its place', async () => {
      const { conversationId } = await ask('buy milk');
      expect(await find('milk')).toEqual([conversationId]);
      await world.store.deleteConversation(ANN, conversationId);
      await ask('buy bread');
      expect(await find('milk')).toEqual([]);
    });

    it('sees texts of another process, and none of another user', async () => {
      await world.store.beginTurn(BOB, newTurn({ content: 'milk of Bob' }));
      const other = await world.open();
      const turn = newTurn({ content: 'milk of Ann' });
      await other.beginTurn(ANN, turn);
      expect(await find('milk')).toEqual([turn.conversationId]);
      await other.close();
    });

    it('finds more texts than are indexed at once', async () => {
      const { conversationId } = await ask('the first');
      for (let index = 0; index < 60; index++) await ask(`number ${index}`, { conversationId });
      await ask('the last', { conversationId });
      expect([await find('first'), await find('last')]).toEqual([[conversationId], [conversationId]]);
    });
  });

  describe('titles and pins', () => {
    it('an own title replaces the first one until it is removed, and is found', async () => {
      const { conversationId } = await world.beginAndEnd({ metadata: { title: 'buy milk' } });
      const update = (title: string | null) => world.store.updateConversation(ANN, conversationId, { title });
      const read = async () => (await world.store.readConversation(ANN, conversationId))?.title;
      const find = async (q: string) => (await world.store.searchConversations(ANN, { q, limit: 1 })).length;
      expect([await update('Groceries'), await read(), await find('grocer')]).toEqual([true, 'Groceries', 1]);
      expect([await update('Shopping'), await find('groceries'), await find('shopping')]).toEqual([true, 0, 1]);
      expect([await update(null), await read(), await find('shopping')]).toEqual([true, undefined, 0]);
    });

    it('a pin stays until it is taken off, and changes no time', async () => {
      const { conversationId } = await world.beginAndEnd();
      const before = await world.store.readConversation(ANN, conversationId);
      await world.store.updateConversation(ANN, conversationId, { pinned: true });
      expect(await world.store.readConversation(ANN, conversationId)).toEqual({ ...before, pinned: true });
      await world.store.updateConversation(ANN, conversationId, { pinned: false });
      expect(await world.store.readConversation(ANN, conversationId)).toEqual(before);
    });

    it("own values replace each other, and the server's keys stay", async () => {
      const { conversationId } = await world.beginAndEnd();
      const before = (await world.store.readConversation(ANN, conversationId))?.metadata ?? {};
      const set = async (metadata: JsonObject) => {
        await world.store.updateConversation(ANN, conversationId, { metadata });
        return (await world.store.readConversation(ANN, conversationId))?.metadata;
      };
      const forged = Object.fromEntries(Object.keys(before).map((key) => [key, 'forged']));
      expect(await set({ ...forged, ticket: 7, tags: ['a'] })).toEqual({ ...before, ticket: 7, tags: ['a'] });
      expect(await set({ other: { deep: null } })).toEqual({ ...before, other: { deep: null } });
      expect(await set({})).toEqual(before);
    });

    it('lists have the status of the newest turn', async () => {
      const { conversationId } = await world.beginAndEnd();
      const status = async () => (await world.store.listConversations(ANN, { limit: 1 })).map((one) => one.status);
      expect(await status()).toEqual(['completed']);
      await world.begin({ conversationId });
      expect(await status()).toEqual(['running']);
    });

    it('the mark of changes moves with each change, also of another process', async () => {
      const marks = new Set([await world.store.changeMark()]);
      await world.beginAndEnd();
      marks.add(await world.store.changeMark());
      const other = await world.open();
      await other.beginTurn(ANN, newTurn());
      marks.add(await world.store.changeMark());
      expect(marks.size).toBe(3);
      // Reading it changes nothing. Databases beside this one in the same PostgreSQL may move it between two reads.
      const read = async () => new Set([await world.store.changeMark(), await world.store.changeMark()]).size;
      await expect.poll(read).toBe(1);
      await other.close();
    });
  });
}
