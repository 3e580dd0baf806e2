import { describe, expect, it } from 'vitest';
import { sendPieces, startModelServer, writeEvents } from '../fakes/model-server.ts';
import { answered, ask, type DomainScene, openDomains } from './scene.ts';

const carts: DomainScene = {
  name: 'carts',
  capabilities: ['Cart abandonment'],
  answer: async () => answered('Cart abandonment is 40 %.', [{ abandonment: 0.4 }]),
};

/** The answer of a model behind a real wire protocol that asks the domain with the words of the question first. */
async function answerAfterCall(text: string, question: string) {
  const call = { name: 'query_space_carts', arguments: JSON.stringify({ query: question }) };
  const delta = { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: call }] };
  const asks = writeEvents({ choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }, '[DONE]');
  const words = writeEvents({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }, '[DONE]');
  await using server = await startModelServer([sendPieces([asks]), sendPieces([words])]);
  const model = { provider: 'openai_compatible', name: 'fake', endpoint: server.url, api_key: 'key' };
  return (await ask(await openDomains([carts], { model }), question)).result;
}

/** The answer of a model behind a real wire protocol that calls no tool. */
async function answerWith(text: string, question: string) {
  const words = writeEvents({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }, '[DONE]');
  await using server = await startModelServer([sendPieces([words])]);
  const model = { provider: 'openai_compatible', name: 'fake', endpoint: server.url, api_key: 'key' };
  const { result, events } = await ask(await openDomains([carts], { model }), question);
  expect(server.requests).toHaveLength(1);
  return { result, marks: events.flatMap((event) => (event.type === 'annotation' ? event.checks : [])) };
}

describe('a figure that only the question holds', () => {
  it('is not found, although a domain was asked with it', async () => {
    const question = 'We lost 5,000 carts to a cart abandonment of 40 %, right?';
    const { checks, confidence } = await answerAfterCall('You lost 5,000 carts at 40 %.', question);
    expect(checks).toMatchObject([
      { text: '5,000', found: false },
      { text: '40 %', found: true, row: 0, column: 'abandonment' },
    ]);
    expect(confidence).toBe('medium');
  });
});

describe('figures of a model that asked no domain', () => {
  it('are marked as unverified, with low confidence', async () => {
    const text = 'Cart abandonment is 31 % this month, 1,204 carts in all. Ten percent came back.';
    const { result, marks } = await answerWith(text, 'What is our cart abandonment?');
    expect(result.checks).toEqual([
      { text: '31 %', start: 20, end: 24, found: false },
      { text: '1,204', start: 37, end: 42, found: false },
      { text: 'Ten percent', start: 57, end: 68, found: false },
    ]);
    expect(marks).toEqual(result.checks);
    expect(result).toMatchObject({ confidence: 'low', sources: [], suggestions: [] });
  });

  it('are marked also where they are the question’s own', async () => {
    const { result } = await answerWith('Yes, it is 31 %.', 'Is cart abandonment 31 %?');
    expect(result).toMatchObject({ confidence: 'low', checks: [{ text: '31 %', found: false }] });
  });

  it.each([
    ['a greeting', 'Hello! Ask me one thing or two about carts.', 'Hi'],
    ['a question back', 'Do you mean the top 5 or the top 10 carts?', 'Show me the top 5'],
    ['a refusal', "I don't have data for 2019.", 'How was cart abandonment in 2019?'],
    ['a numbered list', 'I can help with:\n1. carts\n2. orders', 'Help'],
  ])('are not found in %s', async (_name, text, question) => {
    const { result } = await answerWith(text, question);
    expect([result.checks, result.confidence]).toEqual([undefined, undefined]);
  });
});
