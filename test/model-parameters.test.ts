import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { createModel } from '../src/models/create-model.ts';
import { createRefusals } from '../src/models/providers/provider-settings.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { ModelConfig } from '../src/schema/agent.ts';
import { collectOutcome, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { type FakeReply, sendPieces, sendStatus, startModelServer } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS, type WireProtocol } from './fakes/wire-protocols.ts';

const options = { signal: NEVER_ABORTED };
const tools = [{ name: 'add_task', description: 'Adds', inputSchema: { type: 'object' } }];
const findProtocol = (provider: string) =>
  WIRE_PROTOCOLS.find((protocol) => protocol.provider === provider) as WireProtocol;
const wellOf = (provider: string): FakeReply => sendPieces([findProtocol(provider).reply]);
const well = wellOf('openai_compatible');
/** A refusal in OpenAI's words. */
const refuse = (param: string) =>
  sendStatus(400, JSON.stringify({ error: { message: `Unsupported parameter: '${param}'.`, param } }));

/** Asks a model with this configuration `times` times. Returns the requests and the warnings for the author. */
async function ask(config: object, replies: FakeReply[], times = 1) {
  await using server = await startModelServer(replies);
  const told: unknown[] = [];
  const deps = {
    builtin: async () => createScriptedModel([]),
    env: {},
    refusals: createRefusals(),
    log: (_: string, details: Record<string, unknown>) => told.push(details.author),
  };
  const parts = { provider: 'openai_compatible', name: 'small', endpoint: server.url, api_key: 'test-key', ...config };
  const errors: unknown[] = [];
  for (let turn = 0; turn < times; turn++) {
    // Each is a separate model, as two agents would have.
    const model = await createModel(ModelConfig.parse(parts), deps);
    const { error } = await collectOutcome(model.stream(makeRequest({ tools }), options));
    errors.push(error && (error as { code: string }).code);
  }
  const bodies = server.requests.map(({ body }) => {
    const { messages: _m, tools: _t, model: _n, stream: _s, ...rest } = body as Record<string, unknown>;
    return rest;
  });
  const [first] = server.requests;
  const hide = (text: unknown) => String(text).replaceAll(new URL(server.url).host, 'HOST');
  return { bodies, errors, told: told.map(hide), headers: first?.headers ?? {}, path: first?.path };
}

const USAGE = { stream_options: { include_usage: true } };

describe('parameters that the file does not set', () => {
  it('are not sent', async () => {
    expect((await ask({}, [well])).bodies).toEqual([USAGE]);
  });

  it.each(['anthropic', 'google', 'openai'])('are not sent to %s either', async (provider) => {
    const { bodies, errors } = await ask(
      { provider, name: findProtocol(provider).path.includes('gemini') ? 'gemini-2.5-flash' : 'gpt-4.1' },
      [wellOf(provider)],
    );
    expect(errors).toEqual([undefined]);
    expect(JSON.stringify(bodies)).not.toMatch(
      /temperature|topP|top_p|maxOutputTokens|max_output_tokens|reasoning_effort/,
    );
  });

  it('are set by the todo agent itself', async () => {
    const { model } = await loadAgent('agents/todo');
    expect({ temperature: model.temperature, max_tokens: model.max_tokens }).toEqual({
      temperature: 1,
      max_tokens: 1000,
    });
  });
});

describe('parameters that the file sets', () => {
  it('are sent, with headers and extra_body', async () => {
    const seen = await ask(
      {
        temperature: 0.5,
        max_tokens: 50,
        reasoning_effort: 'low',
        headers: { 'X-Team': 'shop' },
        extra_body: { top_p: 0.9, stream_options: { more: 1 } },
      },
      [well],
    );
    expect(seen.bodies).toEqual([
      {
        temperature: 0.5,
        max_tokens: 50,
        reasoning_effort: 'low',
        stream_options: { include_usage: true, more: 1 },
        top_p: 0.9,
      },
    ]);
    expect(seen.headers['x-team']).toBe('shop');
    expect(seen.headers.authorization).toBe('Bearer test-key');
  });

  it.each([
    ['anthropic', 'claude-sonnet-4-5', { temperature: 0.5, max_tokens: 50, top_k: 3 }],
    ['google', 'gemini-2.5-flash', { generationConfig: { temperature: 0.5, maxOutputTokens: 50 }, top_k: 3 }],
    ['openai', 'gpt-4.1', { temperature: 0.5, max_output_tokens: 50, top_k: 3 }],
  ])('are sent to %s', async (provider, name, body) => {
    const parts = {
      provider,
      name,
      temperature: 0.5,
      max_tokens: 50,
      headers: { 'x-team': 'shop' },
      extra_body: { top_k: 3 },
    };
    const { bodies, headers } = await ask(parts, [wellOf(provider)]);
    expect(bodies[0]).toMatchObject(body);
    expect(headers['x-team']).toBe('shop');
  });

  it.each([
    ['anthropic', 'claude-opus-4-5', /"thinking":\{"type":"enabled"/],
    ['google', 'gemini-3-pro-preview', /"thinkingLevel":"low"/i],
    ['openai', 'gpt-5-mini', /"reasoning":\{"effort":"low"/],
    ['openrouter', 'openai/gpt-5', /"reasoning_effort":"low"/],
  ])('reach %s as its own reasoning effort', async (provider, name, wire) => {
    const reply = provider === 'openrouter' ? well : wellOf(provider);
    const { bodies } = await ask({ provider, name, reasoning_effort: 'low' }, [reply]);
    expect(JSON.stringify(bodies)).toMatch(wire);
  });
});

describe('a parameter that a provider refuses', () => {
  it('that we added is left out without a word, and remembered for every model of the process', async () => {
    const { bodies, errors, told } = await ask({}, [refuse('stream_options'), well], 2);
    expect(bodies).toEqual([USAGE, {}, {}]);
    expect({ errors, told }).toEqual({ errors: [undefined, undefined], told: [] });
  });

  it('that the author set is left out with one warning', async () => {
    const { bodies, errors, told } = await ask({ temperature: 0.5 }, [refuse('temperature'), well], 2);
    expect(bodies).toEqual([{ temperature: 0.5, ...USAGE }, USAGE, USAGE]);
    expect(errors).toEqual([undefined, undefined]);
    expect(told).toEqual([
      "model.temperature was left out: small at HOST does not accept it. Unsupported parameter: 'temperature'.",
    ]);
  });

  it('max_tokens becomes max_completion_tokens, and keeps its value without a warning', async () => {
    const { bodies, told } = await ask({ max_tokens: 50 }, [refuse('max_tokens'), well]);
    expect(bodies).toEqual([
      { max_tokens: 50, ...USAGE },
      { max_completion_tokens: 50, ...USAGE },
    ]);
    expect(told).toEqual([]);
  });

  it('max_completion_tokens becomes max_tokens', async () => {
    const extra_body = { max_completion_tokens: 50 };
    const { bodies } = await ask({ extra_body }, [refuse('max_completion_tokens'), well]);
    expect(bodies).toEqual([
      { ...extra_body, ...USAGE },
      { max_tokens: 50, ...USAGE },
    ]);
  });

  it('under both names is left out with a warning', async () => {
    const { bodies, told } = await ask({ max_tokens: 50 }, [
      refuse('max_tokens'),
      refuse('max_completion_tokens'),
      well,
    ]);
    expect(bodies.at(-1)).toEqual(USAGE);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('model.max_tokens was left out');
  });

  it.each([
    ['in a sentence', 400, '{"error":{"message":"`temperature` may only be set to 1 when thinking is enabled"}}'],
    ['in plain text', 400, 'Unrecognized request argument supplied: temperature'],
    ['as an unknown field', 400, '[{"error":{"message":"Unknown name \\"temperature\\": Cannot find field."}}]'],
    [
      'as FastAPI does',
      422,
      '{"detail":[{"type":"extra_forbidden","loc":["body","temperature"],"msg":"Extra inputs"}]}',
    ],
  ])('may be named %s', async (_, status, body) => {
    const { bodies, errors } = await ask({ temperature: 0.5 }, [sendStatus(status, body), well]);
    expect(bodies.at(-1)).toEqual(USAGE);
    expect(errors).toEqual([undefined]);
  });

  it.each([
    [
      'several, one after the other',
      { temperature: 0.5, reasoning_effort: 'low', extra_body: { top_p: 1, parallel_tool_calls: true } },
    ],
  ])('%s', async (_, config) => {
    const refused = ['temperature', 'reasoning_effort', 'top_p', 'parallel_tool_calls', 'stream_options'];
    const { bodies, told } = await ask(config, [...refused.map(refuse), well]);
    expect(bodies.at(-1)).toEqual({});
    expect(told).toHaveLength(4);
  });

  it.each([
    ['tools', '{"error":{"message":"tools is not supported with temperature","param":"tools"}}'],
    ['tools in a sentence', '{"error":{"message":"tools[0].function.parameters: temperature has no type"}}'],
    ['messages', '{"detail":[{"loc":["body","messages",0,"temperature"],"msg":"Field required"}]}'],
    ['tool_choice', '{"error":{"message":"tool_choice is not supported"}}'],
    ['response_format', '{"error":{"message":"response_format is not supported","param":"response_format"}}'],
  ])('is never %s', async (_, body) => {
    const { bodies, errors } = await ask({ temperature: 0.5 }, [sendStatus(400, body)]);
    expect(bodies).toHaveLength(1);
    expect(errors).toEqual(['model_refused']);
  });

  it('is not remembered when leaving it out did not help', async () => {
    const misleading = sendStatus(400, '{"error":{"message":"temperature or something else is wrong"}}');
    const { bodies, told } = await ask({ temperature: 0.5 }, [misleading, misleading, well], 2);
    expect(bodies).toEqual([{ temperature: 0.5, ...USAGE }, USAGE, { temperature: 0.5, ...USAGE }]);
    expect(told).toEqual([]);
  });

  it('is not looked for in a context that is too long', async () => {
    const body =
      '{"error":{"message":"maximum context length is 8192 tokens, reduce max_tokens","code":"context_length_exceeded"}}';
    const { bodies, errors } = await ask({ max_tokens: 50 }, [sendStatus(400, body)]);
    expect(bodies).toHaveLength(1);
    expect(errors).toEqual(['context_too_long']);
  });

  it.each([
    [
      'anthropic',
      'claude-sonnet-4-5',
      '{"type":"error","error":{"type":"invalid_request_error","message":"temperature: not supported"}}',
    ],
    [
      'google',
      'gemini-2.5-flash',
      '{"error":{"code":400,"message":"Temperature is not supported","status":"INVALID_ARGUMENT"}}',
    ],
    [
      'openai',
      'gpt-4.1',
      '{"error":{"message":"Unsupported parameter","type":"invalid_request_error","param":"temperature","code":"x"}}',
    ],
  ])('is left out for %s too', async (provider, name, body) => {
    const { bodies, errors, told } = await ask({ provider, name, temperature: 0.5 }, [
      sendStatus(400, body),
      wellOf(provider),
    ]);
    expect(JSON.stringify(bodies[0])).toContain('temperature');
    expect(JSON.stringify(bodies[1])).not.toContain('temperature');
    expect(errors).toEqual([undefined]);
    expect(told).toHaveLength(1);
  });

  it('that a provider package leaves out by itself is warned of too', async () => {
    const { told } = await ask({ provider: 'openai', name: 'gpt-5-mini', temperature: 0.5 }, [wellOf('openai')], 1);
    expect(told).toEqual(['model.temperature was left out: gpt-5-mini at HOST does not accept it']);
  });
});

describe('azure_openai', () => {
  it('sends its key as api-key, and completes a bare address', async () => {
    const { path, headers, errors } = await ask({ provider: 'azure_openai', name: 'gpt-5' }, [well]);
    expect({ path, errors }).toEqual({ path: '/openai/v1/chat/completions', errors: [undefined] });
    expect({ key: headers['api-key'], authorization: headers.authorization }).toEqual({ key: 'test-key' });
  });

  it('takes the address of a deployment with its version', async () => {
    await using server = await startModelServer([well]);
    const endpoint = `${server.url}/openai/deployments/shop?api-version=2024-10-21`;
    const model = await createModel(ModelConfig.parse({ provider: 'azure_openai', name: 'gpt-5', endpoint }), {
      builtin: async () => createScriptedModel([]),
      env: { AZURE_OPENAI_API_KEY: 'from-env' },
    });
    await collectOutcome(model.stream(makeRequest(), options));
    const [request] = server.requests;
    expect(request?.path).toBe('/openai/deployments/shop/chat/completions?api-version=2024-10-21');
    expect(request?.headers['api-key']).toBe('from-env');
  });
});

describe('openrouter', () => {
  it('sends its key from the environment and the headers of the file', async () => {
    await using server = await startModelServer([well]);
    const config = {
      provider: 'openrouter',
      name: 'openai/gpt-5',
      endpoint: `${server.url}/api/v1`,
      headers: { 'HTTP-Referer': 'https://shop.example', 'X-Title': 'Shop' },
    };
    const model = await createModel(ModelConfig.parse(config), {
      builtin: async () => createScriptedModel([]),
      env: { OPENROUTER_API_KEY: 'from-env' },
    });
    await collectOutcome(model.stream(makeRequest({ tools }), options));
    const [request] = server.requests;
    expect(request?.path).toBe('/api/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer from-env',
      'http-referer': 'https://shop.example',
      'x-title': 'Shop',
    });
    expect(request?.body).toMatchObject({
      model: 'openai/gpt-5',
      messages: [{ role: 'system' }, { role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name: 'add_task' } }],
      stream: true,
    });
  });
});
