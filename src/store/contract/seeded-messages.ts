import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, attachmentOf, endTurn, messageOf } from './fixtures.ts';
import type { World } from './world.ts';

/** A user message with an answer, as a turn of its own. */
function seedTurn() {
  return { turnId: newUlid(), messages: [messageOf('user'), messageOf('assistant')] };
}

export function describeSeededMessages(world: World): void {
  describe('seeded messages', () => {
    it('come before the first turn, as turns that ended without an attempt, and count', async () => {
      const seed = [seedTurn(), seedTurn()];
      const seeded = seed.flatMap(({ messages }) => messages);
      const turn = await world.begin({ seed });
      await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
      const messages = await world.store.readMessages(ANN, turn.conversationId);
      expect(messages.slice(0, 5)).toEqual([...seeded, ...turn.write.messages]);
      expect(await world.store.readMessages(ANN, turn.conversationId, { exceptTurn: turn.turnId })).toEqual(seeded);
      expect(await world.store.readMessages(ANN, turn.conversationId, { last: 3 })).toEqual(messages.slice(3));
      expect(await world.store.readConversation(ANN, turn.conversationId)).toMatchObject({ message_count: 6 });
      const [first, second] = seed.map(({ turnId }) => turnId);
      expect(await world.store.listTurns(ANN, turn.conversationId, { limit: 9 })).toMatchObject([
        { id: turn.turnId, parent: second, attempt: 1 },
        { id: second, parent: first, status: 'completed', attempt: 0, is_active: true },
        { id: first, status: 'completed', attempt: 0, is_active: true },
      ]);
      expect(await world.store.readEvents(ANN, second ?? '')).toEqual([]);
    });

    it('stay on the path when the first turn is replaced', async () => {
      const seed = [seedTurn()];
      const first = await world.beginAndEnd({ seed });
      const { conversationId } = first;
      const next = await world.begin({ conversationId, replaces: { turnId: first.turnId, head: first.turnId } });
      const messages = await world.store.readMessages(ANN, conversationId);
      expect(messages).toEqual([...(seed[0]?.messages ?? []), ...next.write.messages]);
      expect(await world.store.readMessages(ANN, conversationId, { last: 2 })).toEqual(messages.slice(1));
      expect(await world.store.readConversation(ANN, conversationId)).toMatchObject({ message_count: 3 });
    });

    it('can be replaced: later turns leave the path', async () => {
      const seed = [seedTurn(), seedTurn()];
      const [before, replaced] = seed;
      const first = await world.beginAndEnd({ seed });
      const { conversationId } = first;
      const known = await world.store.readTurnByMessage(ANN, conversationId, replaced?.messages[0]?.id ?? '');
      expect(known?.id).toBe(replaced?.turnId);
      const next = await world.begin({ conversationId, replaces: { turnId: known?.id ?? '', head: first.turnId } });
      const messages = [...(before?.messages ?? []), ...next.write.messages];
      expect(await world.store.readMessages(ANN, conversationId)).toEqual(messages);
    });

    it('are only for a new conversation', async () => {
      const { conversationId } = await world.beginAndEnd();
      await world.begin({ conversationId, seed: [seedTurn()] });
      expect(await world.store.readMessages(ANN, conversationId)).toHaveLength(3);
    });

    it('are deleted with their conversation', async () => {
      const turn = await world.begin({ seed: [seedTurn()] });
      await world.store.deleteConversation(ANN, turn.conversationId);
      expect(await world.store.readMessages(ANN, turn.conversationId)).toEqual([]);
    });
  });
}

export function describeAttachments(world: World): void {
  describe('attachments', () => {
    const first = attachmentOf('notes.txt', 'a text 😀 that goes on');
    const second = attachmentOf('other.txt', 'short');

    async function write() {
      const turn = await world.begin();
      await world.store.writeTurn(ANN, turn.lease, { events: [], attachments: [first, second] });
      return turn;
    }

    it('are listed in order, with at most the requested length of text', async () => {
      const { conversationId } = await write();
      expect(await world.store.readAttachments(ANN, conversationId, { maxChars: 6 })).toEqual([
        { ...first, text: 'a text', total_chars: first.text.length },
        { ...second, total_chars: 5 },
      ]);
    });

    it('are read completely by index', async () => {
      const { conversationId } = await write();
      const texts = [0, 1, 2].map((index) => world.store.readAttachmentText(ANN, conversationId, index));
      expect(await Promise.all(texts)).toEqual([first.text, second.text, undefined]);
    });

    it('are deleted with their conversation', async () => {
      const { conversationId, lease } = await write();
      await world.store.deleteConversation(ANN, conversationId);
      expect(await world.store.readAttachments(ANN, conversationId, { maxChars: 6 })).toEqual([]);
      const late = world.store.writeTurn(ANN, lease, { events: [], attachments: [attachmentOf(newUlid(), 'late')] });
      await expect(late).rejects.toMatchObject({ code: 'turn_taken_over' });
    });
  });
}
