import { describe, expect, it } from 'vitest';
import { createModel } from '../src/models/create-model.ts';
import type { ModelRequest } from '../src/models/model.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { ModelConfig } from '../src/schema/agent.ts';
import { ALICE } from './build.ts';
import { collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { sendPieces, startModelServer } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS } from './fakes/wire-protocols.ts';
import { collect, openRuntime } from './runtime.ts';

/** Asks a provider whose usage is replaced. Returns the body that it got and the usage that it reported. */
async function ask(
  config: { provider: string; name: string },
  request: Partial<ModelRequest> = {},
  edit: (reply: string) => string = (reply) => reply,
) {
  const protocol = WIRE_PROTOCOLS.find(({ provider }) => provider === config.provider);
  await using server = await startModelServer([sendPieces([edit(String(protocol?.reply))])]);
  const price = { in: 10, cached: 1, cache_write: 20, out: 100 };
  const parts = ModelConfig.parse({ endpoint: server.url, api_key: 'k', price, ...config });
  const model = await createModel(parts, { builtin: async () => createScriptedModel([]), env: {} });
  const { chunks, error } = await collectOutcome(model.stream(makeRequest(request), { signal: NEVER_ABORTED }));
  expect(error).toBeUndefined();
  const end = chunks.at(-1);
  return { body: server.requests[0]?.body, usage: end?.type === 'finish' ? end.usage : undefined };
}

const claude = { provider: 'anthropic', name: 'claude-sonnet-4-5' };
const mark = { cache_control: { type: 'ephemeral' } };
const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
const instructions = { system: 'You help.\n\nCurrent time: noon', changing: 'Current time: noon' };

describe('Anthropic', () => {
  it('gets marks after the instructions and the last two messages of the user, with the changing facts behind them', async () => {
    const said = ['First', 'Second', 'Third'].flatMap((content) => [
      makeMessage({ role: 'user', content }),
      makeMessage({ role: 'assistant', content: 'Fine' }),
    ]);
    const { body } = await ask(claude, { ...instructions, tools, messages: said.slice(0, -1) });
    const facts = '[Facts from the system, not from the user. Current time: noon]';
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 'You help.', ...mark }],
      messages: [
        { role: 'user', content: [{ text: 'First' }] },
        { role: 'assistant' },
        { role: 'user', content: [{ text: 'Second', ...mark }] },
        { role: 'assistant' },
        { role: 'user', content: [{ text: 'Third', ...mark }, { text: facts }] },
      ],
    });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
  });

  it('gets a mark after the newest tool results, and never more than four', async () => {
    const call = (id: string) =>
      makeMessage({ role: 'assistant', content: '', tool_calls: [{ id, name: 'look', arguments: {} }] });
    const result = (id: string) => makeMessage({ role: 'tool', tool_call_id: id, content: 'seen' });
    const user = (content: string) => makeMessage({ role: 'user', content });
    const answer = makeMessage({ role: 'assistant', content: 'Fine' });
    const messages = [
      user('a'),
      call('1'),
      result('1'),
      answer,
      user('b'),
      call('2'),
      result('2'),
      call('3'),
      result('3'),
    ];
    const { body } = await ask(claude, { ...instructions, tools, messages });
    const sent = (body as { messages: { content: object[] }[] }).messages;
    expect(sent.at(-1)?.content.at(-1)).toMatchObject({ type: 'tool_result', ...mark });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  });

  it('reports tokens that were read from and written to the cache, at their prices', async () => {
    const edit = (reply: string) =>
      reply.replace(
        '"input_tokens":31',
        '"input_tokens":1,"cache_read_input_tokens":20,"cache_creation_input_tokens":10',
      );
    const { usage } = await ask(claude, {}, edit);
    expect(usage).toMatchObject({ prompt_tokens: 31, cached_tokens: 20, cache_write_tokens: 10 });
    expect(usage?.cost_usd).toBe((1 * 10 + 20 * 1 + 10 * 20 + (usage?.completion_tokens ?? 0) * 100) / 1e6);
  });
});

describe('providers that cache by themselves', () => {
  it.each([
    [
      { provider: 'openai_compatible', name: 'x' },
      '"prompt_tokens":31',
      '"prompt_tokens":31,"prompt_tokens_details":{"cached_tokens":20}',
    ],
    [
      { provider: 'openai_compatible', name: 'x' },
      '"prompt_tokens":31',
      '"prompt_tokens":31,"prompt_cache_hit_tokens":20',
    ],
    [
      { provider: 'google', name: 'gemini-2.5-flash' },
      '"promptTokenCount":31',
      '"promptTokenCount":31,"cachedContentTokenCount":20',
    ],
    [{ provider: 'openai', name: 'gpt-5-mini' }, '"cached_tokens":0', '"cached_tokens":20'],
  ])('%o: cached tokens are part of the usage', async (config, before, after) => {
    const { usage, body } = await ask(config, instructions, (reply) => {
      expect(reply).toContain(before);
      return reply.replaceAll(before, after);
    });
    expect(usage).toMatchObject({ prompt_tokens: 31, cached_tokens: 20, total_tokens: 52 });
    expect(usage?.cost_usd).toBe((11 * 10 + 20 * 1 + 21 * 100) / 1e6);
    expect(JSON.stringify(body)).not.toContain('cache_control');
  });
});

it('every call of a turn says which part of its instructions changes', async () => {
  const { runtime, model } = await openRuntime({ replies: ['Hello.'], agent: { instructions: 'Be kind.' } });
  await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Hi' }));
  const [request] = model.requests;
  expect(request?.changing).toMatch(/^Current time: .*\nThe user's name: "Alice"$/);
  expect(request?.system).toBe(`Be kind.\n\n${request?.changing}`);
});
