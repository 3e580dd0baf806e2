import { describe, expect, it } from 'vitest';
import {
  collectChunks,
  collectOutcome,
  makeMessage,
  makeRequest,
  NEVER_ABORTED,
} from '../../../../test/fakes/model-request.ts';
import { type OllamaOptions, startOllama } from '../../../../test/fakes/ollama-server.ts';
import { ModelConfig } from '../../../schema/agent.ts';
import { createModel, type ModelDeps } from '../../create-model.ts';
import type { ModelRequest } from '../../model.ts';
import { createScriptedModel } from '../../scripted.ts';
import { baseAddress } from './ollama.ts';

const ADD = {
  name: 'add_task',
  description: 'Adds a task.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
};
const QWEN = { name: 'qwen3:4b' };

async function open(options: Partial<OllamaOptions> = {}, config: object = {}, deps: Partial<ModelDeps> = {}) {
  const server = await startOllama({ models: [QWEN], ...options });
  const parsed = ModelConfig.parse({ provider: 'ollama', name: 'qwen3:4b', endpoint: server.url, ...config });
  const model = await createModel(parsed, { builtin: async () => createScriptedModel([]), env: {}, ...deps });
  const ask = (request: Partial<ModelRequest> = {}) =>
    collectChunks(model.stream(makeRequest(request), { signal: NEVER_ABORTED }));
  const fail = (request: Partial<ModelRequest> = {}) =>
    collectOutcome(model.stream(makeRequest(request), { signal: NEVER_ABORTED }));
  return { server, ask, fail, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const words = (tokens: number) => [makeMessage({ role: 'user', content: 'word'.repeat(tokens) })];

describe('createOllamaModel', () => {
  it('reads text, thoughts, calls and counts', async () => {
    const answer = () => ({
      thinking: 'Hm.',
      content: 'Adding it.',
      calls: [{ name: 'add_task', arguments: { title: 'milk' } }],
    });
    await using ollama = await open({ answer });
    const chunks = await ollama.ask({ tools: [ADD] });
    expect(chunks).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Adding it.' },
      { type: 'tool-call', name: 'add_task', arguments: '{"title":"milk"}' },
      { type: 'finish', reason: 'tool-calls', usage: { completion_tokens: 5 } },
    ]);
  });

  it('keeps two calls of the same index apart, and sends them back with their results', async () => {
    const calls = ['milk', 'bread'].map((title) => ({ name: 'add_task', arguments: { title } }));
    await using ollama = await open({ answer: () => ({ calls }) });
    const chunks = await ollama.ask({ tools: [ADD] });
    expect(chunks.filter(({ type }) => type === 'tool-call')).toHaveLength(2);
    const tool_calls = calls.map((call, index) => ({ id: `c${index}`, ...call }));
    const messages = [
      ...words(1),
      makeMessage({ role: 'assistant', content: '', tool_calls }),
      ...tool_calls.map(({ id }) => makeMessage({ role: 'tool', content: '{}', tool_call_id: id })),
    ];
    await ollama.ask({ tools: [ADD], messages });
    expect(ollama.server.chats[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: '', tool_calls: tool_calls.map(({ id, ...called }) => ({ id, function: called })) },
      ...tool_calls.map(({ id, name }) => ({ role: 'tool', content: '{}', tool_name: name, tool_call_id: id })),
    ]);
  });

  it('sends its settings by the names of Ollama, and a format as a schema', async () => {
    await using ollama = await open({}, { temperature: 0, max_tokens: 50, reasoning_effort: 'minimal' });
    await ollama.ask({ responseFormat: { type: 'object' } });
    expect(ollama.server.chats[0]).toMatchObject({
      options: { temperature: 0, num_predict: 50, num_ctx: 4096 },
      think: 'low',
      format: { type: 'object' },
    });
  });

  it('raises the window in steps and never lowers it, also for another model of the same name', async () => {
    const windows = new Map<string, number>();
    await using ollama = await open({}, {}, { windows });
    for (const tokens of [10, 5_000, 10, 12_000, 20]) await ollama.ask({ messages: words(tokens) });
    expect(ollama.server.chats.map(({ options }) => options.num_ctx)).toEqual([4096, 8192, 8192, 16384, 16384]);
    expect(ollama.server.loads).toEqual([4096, 8192, 16384]);
    expect(ollama.server.requests.filter((route) => route === 'POST /api/show')).toHaveLength(1);
    expect([...windows.values()]).toEqual([16384]);
  });

  it.each([
    ['32,768 by default', {}, 32_768, 'raise limits.context_tokens'],
    [
      "the model's own window",
      { models: [{ name: 'qwen3:4b', contextTokens: 6_000 }] },
      6_000,
      'choose a model with a larger window',
    ],
  ])('sends nothing that is longer than %s', async (_, options, most, advice) => {
    await using ollama = await open(options);
    await ollama.ask({ messages: words(most * 0.8) });
    expect(ollama.server.chats[0]?.options.num_ctx).toBe(most);
    const { error } = await ollama.fail({ messages: words(most * 0.95), tools: [ADD] });
    expect(error).toMatchObject({
      code: 'context_too_long',
      author: expect.stringContaining(advice),
    });
    expect(ollama.server.chats).toHaveLength(1);
  });

  it('obeys limits.context_tokens and a num_ctx of the file', async () => {
    await using limited = await open({}, {}, { contextTokens: 5_000 });
    await limited.ask({ messages: words(4_200) });
    expect(limited.server.chats[0]?.options.num_ctx).toBe(5_000);
    await using fixed = await open({}, { extra_body: { options: { num_ctx: 2048 } } });
    await fixed.ask();
    expect(fixed.server.chats[0]?.options.num_ctx).toBe(2048);
  });

  it('asks again with a larger window when the count shows that the prompt was cut', async () => {
    const answer = (_: unknown, isCut: boolean) =>
      isCut ? { calls: [{ name: 'add_task', arguments: {} }] } : { content: 'All of it.' };
    await using ollama = await open({ answer, tokensPerChar: 1 });
    expect(await ollama.ask({ messages: words(1_500), tools: [ADD] })).toMatchObject([
      { type: 'text', text: 'All of it.' },
      { type: 'finish' },
    ]);
    expect(ollama.server.loads).toEqual([4096, 8192]);
  });

  it('runs no call of a prompt that was cut in the largest window', async () => {
    await using ollama = await open(
      { answer: () => ({ calls: [{ name: 'add_task', arguments: {} }] }), tokensPerChar: 1 },
      {},
      { contextTokens: 4096 },
    );
    const { chunks, error } = await ollama.fail({ messages: words(1_500), tools: [ADD] });
    expect(chunks.filter(({ type }) => type === 'tool-call')).toEqual([]);
    expect(error).toMatchObject({ code: 'context_too_long' });
  });

  it('says under an answer that its prompt was cut', async () => {
    await using ollama = await open(
      { answer: () => ({ content: 'Hm.' }), tokensPerChar: 1 },
      {},
      { contextTokens: 4096 },
    );
    const chunks = await ollama.ask({ messages: words(1_500) });
    expect(chunks.map(({ type }) => type)).toEqual(['text', 'notice', 'finish']);
  });

  it('takes a reply without counts as whole', async () => {
    await using ollama = await open({ withCounts: false });
    expect(await ollama.ask({ messages: words(3_000) })).toMatchObject([{ text: 'Hello.' }, { type: 'finish' }]);
  });

  it.each([
    ['a model that is not there', { models: [] }, 'download it with `ollama pull qwen3:4b`'],
    ['a model without tools', { models: [{ ...QWEN, capabilities: ['completion'] }] }, 'cannot call tools'],
  ])('explains %s', async (_, options, text) => {
    await using ollama = await open(options);
    const { error } = await ollama.fail({ tools: [ADD] });
    expect(error).toMatchObject({ code: 'model_refused', author: expect.stringContaining(text) });
  });

  it.each(['', '/', '/v1', '/v1/', '/api', '/api/chat', '/v1/chat/completions'])(
    'understands the path "%s"',
    (path) => {
      expect(baseAddress(`http://127.0.0.1:11434${path}`)).toBe('http://127.0.0.1:11434');
      expect(baseAddress(`http://h/ollama${path}`)).toBe('http://h/ollama');
    },
  );
});
