import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, attachmentOf, endTurn, messageOf, NOW } from './fixtures.ts';
import type { World } from './world.ts';

/** Turns with their messages, results and feedback. */
export function describeDescribedTurns(world: World): void {
  describe('described turns', () => {
    const answerOf = async (conversationId: string) => {
      const [turn] = await world.store.describeTurns(ANN, conversationId, { limit: 1 });
      return turn?.answer?.id ?? '';
    };

    it('have their question, answer, result and end, newest first and page by page', async () => {
      const first = await world.beginAndEnd();
      const { conversationId } = first;
      const second = await world.beginAndEnd({ conversationId });
      const open = await world.begin({ conversationId });
      const other = await world.beginAndEnd();
      const described = await world.store.describeTurns(ANN, conversationId, { limit: 9 });
      const [question] = first.write.messages;
      expect(described.map((turn) => turn.id)).toEqual([open, second, first].map(({ turnId }) => turnId));
      expect(described[2]).toMatchObject({
        message: question,
        answer: { role: 'assistant', content: 'Done' },
        result: { status: 'completed', content: 'Done' },
        ended_at: NOW,
      });
      const { message, ...rest } = described[0] ?? {};
      expect([message, 'ended_at' in rest, 'result' in rest, 'answer' in rest]).toEqual([
        ...open.write.messages,
        false,
        false,
        false,
      ]);
      const page = await world.store.describeTurns(ANN, conversationId, { limit: 1, before: open.turnId });
      expect(page).toEqual([described[1]]);
      expect((await world.store.readTurn(ANN, other.turnId))?.ended_at).toBe(NOW);
    });

    it('have no end while they wait or are interrupted, and one after they were continued', async () => {
      const turn = await world.beginAndDie();
      await world.store.recover();
      expect(await world.store.readTurn(ANN, turn.turnId)).not.toHaveProperty('ended_at');
      const next = { turnId: turn.turnId, attempt: 2, write: { events: [] } };
      const lease = await world.store.continueTurn(ANN, next);
      if (!lease) throw new Error('not continued');
      await world.store.writeTurn(ANN, lease, { events: [], status: 'waiting' });
      expect(await world.store.readTurn(ANN, turn.turnId)).not.toHaveProperty('ended_at');
    });

    it('keep one feedback per answer, which is deleted with the conversation', async () => {
      const { conversationId } = await world.beginAndEnd();
      const messageId = await answerOf(conversationId);
      const give = (given: { rating: 'up' | 'down' | null; comment?: string }) =>
        world.store.setFeedback(ANN, conversationId, { messageId, ...given });
      const shown = async () => {
        const [turn] = await world.store.describeTurns(ANN, conversationId, { limit: 1 });
        const history = await world.store.readHistory(ANN, conversationId);
        return [turn?.feedback, history.at(-1)?.feedback, history[0]?.feedback];
      };
      expect(await give({ rating: 'up', comment: 'good' })).toBe(true);
      expect(await give({ rating: 'down' })).toBe(true);
      expect(await shown()).toEqual([{ rating: 'down' }, { rating: 'down' }, undefined]);
      await give({ rating: null, comment: 'hm' });
      expect((await shown())[0]).toEqual({ rating: null, comment: 'hm' });
      await give({ rating: null });
      expect(await shown()).toEqual([undefined, undefined, undefined]);
      await give({ rating: 'up' });
      await world.store.deleteConversation(ANN, conversationId);
      expect(await give({ rating: 'up' })).toBe(false);
    });

    it('can be made whole, with messages and files, and continued', async () => {
      const [question, answer] = [messageOf('user'), messageOf('assistant')];
      const file = { ...attachmentOf('notes.txt', 'two lines'), message_id: question.id };
      const conversationId = newUlid();
      const turn = { turnId: newUlid(), createdAt: '2026-01-04T10:00:00.000Z' };
      await world.store.addConversation(ANN, {
        conversationId,
        agent: 'todo',
        turns: [{ ...turn, messages: [question, answer], attachments: [file] }],
        metadata: { title: 'A copy' },
        now: NOW,
      });
      expect(await world.store.readConversation(ANN, conversationId)).toMatchObject({
        agent: 'todo',
        message_count: 2,
        metadata: { title: 'A copy' },
        created_at: NOW,
      });
      expect(await world.store.readMessages(ANN, conversationId)).toEqual([question, answer]);
      expect(await world.store.readAttachmentText(ANN, conversationId, 0)).toBe('two lines');
      expect(await world.store.describeTurns(ANN, conversationId, { limit: 9 })).toMatchObject([
        { id: turn.turnId, attempt: 0, status: 'completed', created_at: turn.createdAt, message: question, answer },
      ]);
      expect(await world.store.readTurnOfMessage(ANN, conversationId, answer.id)).toMatchObject({ id: turn.turnId });
      expect(await world.store.readTurnOfMessage(ANN, conversationId, newUlid())).toBeUndefined();
      const next = await world.begin({ conversationId });
      expect(await world.store.readTurn(ANN, next.turnId)).toMatchObject({ parent: turn.turnId });
    });

    it('accept feedback for answers only', async () => {
      const turn = await world.begin();
      const { conversationId, lease } = turn;
      const tool = messageOf('tool');
      await world.store.writeTurn(ANN, lease, { events: [], messages: [tool] });
      await world.store.writeTurn(ANN, lease, endTurn(turn));
      const ids = [turn.write.messages[0]?.id ?? '', tool.id, newUlid()];
      const taken = ids.map((messageId) => world.store.setFeedback(ANN, conversationId, { messageId, rating: 'up' }));
      expect(await Promise.all(taken)).toEqual([false, false, false]);
    });
  });
}
