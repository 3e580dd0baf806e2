import { describe, expect, it } from 'vitest';
import { ANN, endTurn, messageOf } from './fixtures.ts';
import type { World } from './world.ts';

export function describeSeededMessages(world: World): void {
  describe('seeded messages', () => {
    it('come before the first turn, belong to none, and count', async () => {
      const seed = [messageOf('user'), messageOf('assistant')];
      const turn = await world.begin({ seed });
      await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
      const messages = await world.store.readMessages(ANN, turn.conversationId);
      expect(messages.slice(0, 3)).toEqual([...seed, ...turn.write.messages]);
      expect(await world.store.readMessages(ANN, turn.conversationId, { exceptTurn: turn.turnId })).toEqual(seed);
      expect(await world.store.readMessages(ANN, turn.conversationId, { last: 3 })).toEqual(messages.slice(1));
      expect(await world.store.readConversation(ANN, turn.conversationId)).toMatchObject({ message_count: 4 });
    });

    it('stay on the path when the first turn is replaced', async () => {
      const seed = [messageOf('user'), messageOf('assistant')];
      const first = await world.beginAndEnd({ seed });
      const { conversationId } = first;
      const next = await world.begin({ conversationId, replaces: { turnId: first.turnId, head: first.turnId } });
      const messages = await world.store.readMessages(ANN, conversationId);
      expect(messages).toEqual([...seed, ...next.write.messages]);
      expect(await world.store.readMessages(ANN, conversationId, { last: 2 })).toEqual(messages.slice(1));
      expect(await world.store.readConversation(ANN, conversationId)).toMatchObject({ message_count: 3 });
    });

    it('are only for a new conversation', async () => {
      const { conversationId } = await world.beginAndEnd();
      await world.begin({ conversationId, seed: [messageOf('assistant')] });
      expect(await world.store.readMessages(ANN, conversationId)).toHaveLength(3);
    });

    it('are gone with their conversation', async () => {
      const turn = await world.begin({ seed: [messageOf('user')] });
      await world.store.deleteConversation(ANN, turn.conversationId);
      expect(await world.store.readMessages(ANN, turn.conversationId)).toEqual([]);
    });
  });
}
