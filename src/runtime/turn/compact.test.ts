import { describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../../test/build.ts';
import { collect, openRuntime } from '../../../test/runtime.ts';
import type { ModelRequest } from '../../models/model.ts';

const texts = (request: ModelRequest | undefined) => request?.messages.map(({ content }) => content);

async function talked(replies: Parameters<typeof openRuntime>[0]['replies']) {
  const { runtime, model } = await openRuntime({ replies, agent: { model: { provider: 'ollama', name: 'x' } } });
  const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'about alpha' });
  await collect(turn);
  const { conversationId } = turn;
  const say = async (message: string) =>
    collect(await runtime.chat(ALICE, { agent: 'helper', message, conversationId }));
  const compact = async () => collect(await runtime.compact(ALICE, { agent: 'helper', conversationId }));
  return { runtime, model, conversationId, say, compact };
}

describe('compact', () => {
  it('asks for a summary without tools, and later turns begin with it', async () => {
    const { model, compact, say } = await talked(['Alpha it is.', 'Summary: alpha.', 'On we go.']);
    await compact();
    expect(model.requests[1]?.tools).toEqual([]);
    await say('next');
    expect(texts(model.requests[2])).toEqual([expect.stringContaining('Sum up'), 'Summary: alpha.', 'next']);
  });

  it('deletes nothing', async () => {
    const { runtime, conversationId, compact } = await talked(['Alpha it is.', 'Summary: alpha.']);
    await compact();
    const stored = await runtime.readMessages(ALICE, conversationId);
    expect(stored.map(({ content }) => content)).toEqual([
      'about alpha',
      'Alpha it is.',
      expect.stringContaining('Sum up'),
      'Summary: alpha.',
    ]);
  });

  it('changes nothing if the summary fails', async () => {
    const failing = { error: new Error('no model') };
    const { model, compact, say } = await talked(['Alpha it is.', failing, 'On we go.']);
    await compact();
    await say('next');
    expect(texts(model.requests.at(-1))?.slice(0, 2)).toEqual(['about alpha', 'Alpha it is.']);
  });

  it('belongs to the path that it was made on', async () => {
    const replies = ['Alpha it is.', 'Beta it is.', 'Summary: alpha, beta.', 'Gamma it is.'];
    const { runtime, model, conversationId, compact } = await talked(replies);
    const say = async (message: string) => {
      const input = { agent: 'helper', message, conversationId, clientId: 'm2' };
      return collect(await runtime.chat(ALICE, input));
    };
    await say('about beta');
    await compact();
    await say('about gamma');
    expect(texts(model.requests[3])).toEqual(['about alpha', 'Alpha it is.', 'about gamma']);
  });

  it("treats another user's conversation as missing", async () => {
    const { runtime, conversationId } = await talked(['Alpha it is.']);
    const other = runtime.compact(BOB, { agent: 'helper', conversationId });
    await expect(other).rejects.toMatchObject({ code: 'conversation_not_found' });
  });

  it('lists the messages if the built-in model answers', async () => {
    const { runtime } = await openRuntime({ replies: ['Alpha it is.'] });
    const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'about alpha' });
    await collect(turn);
    const input = { agent: 'helper', conversationId: turn.conversationId };
    const content = 'So far:\n- about alpha\n  → Alpha it is.';
    expect((await collect(await runtime.compact(ALICE, input))).at(-1)).toMatchObject({ result: { content } });
    const again = 'So far:\n  → So far: - about alpha → Alpha it is.';
    expect((await collect(await runtime.compact(ALICE, input))).at(-1)).toMatchObject({ result: { content: again } });
  });
});

describe('continueInterrupted', () => {
  it('refuses a turn that was not interrupted', async () => {
    const { runtime, conversationId } = await talked(['Alpha it is.']);
    await expect(runtime.continueInterrupted(ALICE, { conversationId })).rejects.toMatchObject({
      code: 'not_interrupted',
    });
    const other = runtime.continueInterrupted(BOB, { conversationId });
    await expect(other).rejects.toMatchObject({ code: 'conversation_not_found' });
  });
});
