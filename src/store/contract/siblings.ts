import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, attachmentOf, callEvents, endTurn, messageOf, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

/** A conversation is a tree of turns; reads return the path to its head. */
export function describeSiblings(world: World): void {
  describe('siblings', () => {
    const pathOf = async (conversationId: string) => {
      const turns = await world.store.listTurns(ANN, conversationId, { limit: 100 });
      return turns.filter((turn) => turn.is_active).map((turn) => turn.id);
    };
    const contentIds = async (conversationId: string, options = {}) =>
      (await world.store.readMessages(ANN, conversationId, options)).map((message) => message.id);

    async function threeTurns() {
      const first = await world.beginAndEnd({ clientId: 'm1' });
      const { conversationId } = first;
      const second = await world.beginAndEnd({ conversationId, clientId: 'm2' });
      const third = await world.beginAndEnd({ conversationId, clientId: 'm3' });
      return { conversationId, first, second, third };
    }

    it('leaves each turn its own path, also one that is no longer shown', async () => {
      const { conversationId, first, second, third } = await threeTurns();
      const replaces = { turnId: second.turnId, head: third.turnId };
      const sibling = await world.beginAndEnd({ conversationId, clientId: 'm2', replaces });
      const turnsOf = async (turnId: string) => {
        const path = await world.store.readPath(ANN, turnId);
        return [...new Set(path.map((entry) => entry.turnId))];
      };
      expect(await turnsOf(third.turnId)).toEqual([first, second, third].map(({ turnId }) => turnId));
      expect(await turnsOf(sibling.turnId)).toEqual([first, sibling].map(({ turnId }) => turnId));
      const [entry] = await world.store.readPath(ANN, third.turnId);
      expect(entry?.message).toEqual(first.write.messages[0]);
    });

    it('has the parent of the turn that it replaces, and later turns leave the path', async () => {
      const { conversationId, first, second, third } = await threeTurns();
      const sibling = await world.beginAndEnd({
        conversationId,
        clientId: 'm2',
        replaces: { turnId: second.turnId, head: third.turnId },
      });
      expect(await world.store.readTurn(ANN, sibling.turnId)).toMatchObject({
        parent: first.turnId,
        replaces: second.turnId,
        is_active: true,
      });
      expect(await pathOf(conversationId)).toEqual([sibling.turnId, first.turnId]);
      const shown = [first, sibling].flatMap((turn) => turn.write.messages[0]?.id ?? []);
      const ids = await contentIds(conversationId);
      expect([ids[0], ids[2], ids.length]).toEqual([...shown, 4]);
      expect(await contentIds(conversationId, { last: 2 })).toEqual(ids.slice(2));
      expect(await contentIds(conversationId, { exceptTurn: sibling.turnId })).toEqual(ids.slice(0, 2));
      expect(await world.store.readConversation(ANN, conversationId)).toMatchObject({ message_count: 4 });
      const next = await world.begin({ conversationId });
      expect(await world.store.readTurn(ANN, next.turnId)).toMatchObject({ parent: sibling.turnId });
      expect(await world.store.readConversation(ANN, conversationId)).toMatchObject({ message_count: 5 });
    });

    it('can replace the first turn, and a turn of an abandoned path', async () => {
      const { conversationId, first, third } = await threeTurns();
      const sibling = await world.beginAndEnd({
        conversationId,
        replaces: { turnId: first.turnId, head: third.turnId },
      });
      expect(await world.store.readTurn(ANN, sibling.turnId)).not.toHaveProperty('parent');
      expect(await pathOf(conversationId)).toEqual([sibling.turnId]);
      const back = await world.beginAndEnd({
        conversationId,
        replaces: { turnId: third.turnId, head: sibling.turnId },
      });
      const second = await world.store.readTurnByMessage(ANN, conversationId, 'm2');
      expect(await pathOf(conversationId)).toEqual([back.turnId, second?.id, first.turnId]);
    });

    it('reads messages with their turns, and the last text of each with its result', async () => {
      const first = await world.begin();
      const { conversationId } = first;
      const end = endTurn(first);
      const between = [messageOf('assistant'), messageOf('tool')];
      await world.store.writeTurn(ANN, first.lease, { ...end, messages: [...between, ...end.messages] });
      const second = await world.begin({ conversationId });
      const history = await world.store.readHistory(ANN, conversationId);
      const { tool_calls: _, ...result } = end.result;
      expect(history).toEqual([
        ...[...first.write.messages, ...between].map((message) => ({ turnId: first.turnId, message })),
        { turnId: first.turnId, message: end.messages[0], result },
        { turnId: second.turnId, message: second.write.messages[0] },
      ]);
      expect(await world.store.readHistory(ANN, conversationId, { last: 2 })).toEqual(history.slice(3));
    });

    it('changes nothing of the old turns', async () => {
      const { conversationId, second, third } = await threeTurns();
      const read = async () => [
        await world.store.readEvents(ANN, second.turnId),
        await world.store.readResult(ANN, second.turnId),
        await world.store.readTurnByKey(ANN, 'todo', 'key'),
      ];
      const before = await read();
      await world.beginAndEnd({ conversationId, replaces: { turnId: second.turnId, head: third.turnId } });
      expect(await read()).toEqual(before);
    });

    it('is busy while a turn runs, and if the head has changed since the caller read it', async () => {
      const { conversationId, first, second, third } = await threeTurns();
      const stale = newTurn({ conversationId, replaces: { turnId: first.turnId, head: second.turnId } });
      expect(await world.store.beginTurn(ANN, stale)).toMatchObject({ outcome: 'busy', turn: { id: third.turnId } });
      const fourth = await world.begin({ conversationId });
      const during = newTurn({ conversationId, replaces: { turnId: first.turnId, head: fourth.turnId } });
      expect(await world.store.beginTurn(ANN, during)).toMatchObject({ outcome: 'busy', turn: { id: fourth.turnId } });
      expect(await pathOf(conversationId)).toHaveLength(4);
    });

    it('is missing when the replaced turn is of another conversation', async () => {
      const { conversationId, third } = await threeTurns();
      const other = await world.beginAndEnd();
      const strange = newTurn({ conversationId, replaces: { turnId: other.turnId, head: third.turnId } });
      expect(await world.store.beginTurn(ANN, strange)).toEqual({ outcome: 'missing' });
      expect(await pathOf(conversationId)).toHaveLength(3);
    });

    it('finds a turn by the client id of its message: on the path first, else the newest', async () => {
      const { conversationId, first, second, third } = await threeTurns();
      const find = async (id: string) => (await world.store.readTurnByMessage(ANN, conversationId, id))?.id;
      expect(await find('m2')).toBe(second.turnId);
      expect(await find(first.write.messages[0]?.id ?? '')).toBeUndefined();
      const sibling = await world.beginAndEnd({
        conversationId,
        clientId: 'm2',
        replaces: { turnId: second.turnId, head: third.turnId },
      });
      expect([await find('m2'), await find('m3'), await find('m4')]).toEqual([sibling.turnId, third.turnId, undefined]);
      const unnamed = await world.begin({ conversationId });
      expect(await find(unnamed.write.messages[0]?.id ?? '')).toBe(unnamed.turnId);
    });

    it('accepts a message with a known client id only as a sibling', async () => {
      const { conversationId, second } = await threeTurns();
      const again = await world.store.beginTurn(ANN, newTurn({ conversationId, clientId: 'm2' }));
      expect(again).toMatchObject({ outcome: 'busy', turn: { id: second.turnId } });
      const elsewhere = await world.store.beginTurn(ANN, newTurn({ clientId: 'm2' }));
      expect(elsewhere.outcome).toBe('begun');
    });

    it('makes exactly one of many racing siblings the head', async () => {
      const { conversationId, second, third } = await threeTurns();
      const replaces = { turnId: second.turnId, head: third.turnId };
      const racing = Array.from({ length: 10 }, () => newTurn({ conversationId, replaces }));
      const begun = await Promise.all(racing.map((turn) => world.store.beginTurn(ANN, turn)));
      expect(begun.filter(({ outcome }) => outcome === 'begun')).toHaveLength(1);
      expect(await pathOf(conversationId)).toHaveLength(2);
    });

    it('continues no interrupted turn that has left the path', async () => {
      const { conversationId, first } = await threeTurns();
      const died = await world.beginAndDie({ conversationId }, ['start', 'run']);
      await world.store.recover();
      await world.beginAndEnd({ conversationId, replaces: { turnId: first.turnId, head: died.turnId } });
      const next = { turnId: died.turnId, attempt: 2, write: { events: [] } };
      expect(await world.store.continueTurn(ANN, next)).toBeUndefined();
    });

    it('reads the files of the path only', async () => {
      const first = await world.begin();
      const { conversationId } = first;
      await world.store.writeTurn(ANN, first.lease, {
        ...endTurn(first),
        attachments: [attachmentOf('old.txt', 'the old text')],
      });
      const sibling = await world.begin({ conversationId, replaces: { turnId: first.turnId, head: first.turnId } });
      const files = async () => [
        (await world.store.readAttachments(ANN, conversationId, { maxChars: 99 })).map((file) => file.filename),
        await world.store.readAttachmentText(ANN, conversationId, 0),
      ];
      expect(await files()).toEqual([[], undefined]);
      await world.store.writeTurn(ANN, sibling.lease, {
        events: callEvents(sibling, ['start']),
        attachments: [attachmentOf('new.txt', 'the new text')],
      });
      expect(await files()).toEqual([['new.txt'], 'the new text']);
    });

    it('lists turns page by page, newest first', async () => {
      const { conversationId, first, second, third } = await threeTurns();
      const list = async (page: { limit: number; before?: string }) =>
        (await world.store.listTurns(ANN, conversationId, page)).map((turn) => turn.id);
      expect(await list({ limit: 2 })).toEqual([third.turnId, second.turnId]);
      expect(await list({ limit: 2, before: second.turnId })).toEqual([first.turnId]);
      expect(await list({ limit: 2, before: newUlid() })).toEqual([]);
    });
  });
}
