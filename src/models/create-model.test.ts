import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectChunks, makeRequest, NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { sendPieces, sendStatus, startModelServer, writeEvents } from '../../test/fakes/model-server.ts';
import { ModelConfig } from '../schema/agent.ts';
import { Provider } from '../schema/provider.ts';
import { createLazyModel, createModel } from './create-model.ts';
import type { Post } from './http-post.ts';
import { createScriptedModel } from './scripted.ts';

const builtin = async () => createScriptedModel(['from the built-in'], { label: 'builtin' });
const make = (config: object, env: Record<string, string> = {}) =>
  createModel(ModelConfig.parse(config), { builtin, env });

describe('createModel', () => {
  it('returns the built-in model unchanged', async () => {
    const model = createScriptedModel([]);
    expect(await createModel(ModelConfig.parse({}), { builtin: async () => model })).toBe(model);
  });

  it.each([
    [{ provider: 'ollama', name: 'llama3.2' }, 'ollama llama3.2'],
    [{ provider: 'openai_compatible', name: 'x', endpoint: 'http://127.0.0.1:1/v1' }, 'openai_compatible x'],
    [{ provider: 'anthropic', name: 'claude', api_key: 'k' }, 'anthropic claude'],
    [{ provider: 'google', name: 'gemini-2.5-flash', api_key: 'k' }, 'google gemini-2.5-flash'],
    [{ provider: 'openai', name: 'gpt-5', api_key: 'k' }, 'openai gpt-5'],
  ])('makes %o', async (config, label) => {
    expect((await make(config)).label).toBe(label);
  });

  it.each(Provider.options.filter((provider) => provider !== 'builtin'))(
    'makes a model of %s from its row',
    async (provider) => {
      const config = { provider, name: 'x', endpoint: 'http://127.0.0.1:1', api_key: 'k' };
      expect((await make(config)).label).toBe(`${provider} x`);
    },
  );

  it.each([
    [
      { provider: 'openai_compatible', name: 'x' },
      /^model.endpoint: openai_compatible needs an address, such as https:/,
    ],
    [{ provider: 'ollama' }, /^model.name: ollama needs the name of a model$/],
    [{ provider: 'anthropic', name: 'x' }, /needs a key. Set ANTHROPIC_API_KEY$/],
  ])('refuses %o', async (config, message) => {
    await expect(make(config)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a key that is invalid in a header, naming its variable and not the key', async () => {
    const env = { MY_KEY: 'half\nkey' };
    const making = make({ provider: 'ollama', name: 'x', api_key: 'half\nkey' }, env);
    await expect(making).rejects.toMatchObject({
      code: 'config_invalid',
      message:
        'model.api_key: the key in MY_KEY holds a space, a line break or a character that no key has. Copy it again',
    });
  });

  it('finds the usual variable of a provider', async () => {
    expect((await make({ provider: 'google', name: 'x' }, { GEMINI_API_KEY: 'k' })).label).toBe('google x');
  });

  it('falls back to the second model, naming the variable of the refused key', async () => {
    await using server = await startModelServer([sendStatus(403)]);
    const model = await make(
      {
        provider: 'openai_compatible',
        name: 'x',
        endpoint: server.url,
        api_key: 'secret',
        fallback: { provider: 'builtin' },
      },
      { OTHER: 'x', TEAM_KEY: 'secret' },
    );
    expect(await collectChunks(model.stream(makeRequest(), { signal: NEVER_ABORTED }))).toEqual([
      { type: 'notice', text: 'The model refused the key. Continuing with the fallback model builtin.' },
      { type: 'text', text: 'from the built-in' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('retries over the wire', async () => {
    const good = writeEvents({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }, '[DONE]');
    await using server = await startModelServer([sendStatus(503), sendPieces([good])]);
    const model = await make({ provider: 'openai_compatible', name: 'x', endpoint: server.url });
    expect(await collectChunks(model.stream(makeRequest(), { signal: NEVER_ABORTED }))).toEqual([
      { type: 'notice', text: 'The model could not be reached. Trying again (2 of 3).' },
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

const CALL = '<tool_call>{"name":"add_task","arguments":{"title":"milk"}}</tool_call>';
const ADD = { name: 'add_task', description: 'Adds a task.', inputSchema: { type: 'object' } };
const CHAT = writeEvents({ choices: [{ delta: { content: CALL }, finish_reason: 'stop' }] }, '[DONE]');
const RESPONSES = writeEvents(
  { type: 'response.output_item.added', output_index: 0, item: { id: 'm', type: 'message', role: 'assistant' } },
  { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: CALL },
  { type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } },
);

/** The chunks of a model whose provider sends the reply, with one tool on offer. No request leaves the test. */
async function readReply(served: object, reply: string) {
  const asked: string[] = [];
  const post: Post = async ({ url }) => {
    asked.push(url.host);
    const headers = { 'content-type': 'text/event-stream' };
    return { status: 200, headers, body: Readable.from([Buffer.from(reply)]), release: () => {}, close: () => {} };
  };
  const config = ModelConfig.parse({ name: 'x', api_key: 'k', ...served });
  const model = await createModel(config, { builtin, env: {}, post, accepts: async () => true });
  const chunks = await collectChunks(model.stream(makeRequest({ tools: [ADD] }), { signal: NEVER_ABORTED }));
  return { asked, chunks };
}

describe('a call written as text', () => {
  it.each([
    [{ provider: 'openai_compatible', endpoint: 'https://models.example.com/v1' }, 'models.example.com', CHAT],
    [{ provider: 'openai_compatible', endpoint: 'http://192.168.0.7:8080/v1' }, '192.168.0.7:8080', CHAT],
    [{ provider: 'openrouter' }, 'openrouter.ai', CHAT],
    [{ provider: 'openai' }, 'api.openai.com', RESPONSES],
    [{ provider: 'openai', endpoint: 'https://gateway.example.com/v1' }, 'gateway.example.com', RESPONSES],
  ])('stays text from %o', async (served, host, reply) => {
    const { asked, chunks } = await readReply(served, reply);
    expect(asked).toEqual([host]);
    expect(chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : chunk.type)).join(' ')).toBe(`${CALL} finish`);
  });

  it.each([
    { provider: 'openai_compatible', endpoint: 'http://127.0.0.1:8080/v1' },
    { provider: 'lmstudio' },
    { provider: 'lmstudio', endpoint: 'http://192.168.0.7:1234' },
  ])('is read from %o', async (served) => {
    const { chunks } = await readReply(served, CHAT);
    expect(chunks).toMatchObject([
      { type: 'tool-call', name: 'add_task', arguments: '{"title":"milk"}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });
});

describe('createLazyModel', () => {
  it('loads with the first request, once', async () => {
    let loads = 0;
    const model = createLazyModel('lazy', async () => {
      loads++;
      return createScriptedModel(() => 'Hi');
    });
    expect({ label: model.label, loads }).toEqual({ label: 'lazy', loads: 0 });
    const ask = () => collectChunks(model.stream(makeRequest(), { signal: NEVER_ABORTED }));
    expect(await Promise.all([ask(), ask()])).toEqual([
      [
        { type: 'text', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
      ],
      [
        { type: 'text', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
      ],
    ]);
    expect(loads).toBe(1);
  });
});
