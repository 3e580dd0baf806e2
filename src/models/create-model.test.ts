import { describe, expect, it } from 'vitest';
import { collectChunks, makeRequest, NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { sendPieces, sendStatus, startModelServer, writeEvents } from '../../test/fakes/model-server.ts';
import { ModelConfig } from '../schema/agent.ts';
import { Provider } from '../schema/provider.ts';
import { createLazyModel, createModel } from './create-model.ts';
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
