import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, attachmentOf } from './fixtures.ts';
import type { World } from './world.ts';

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
