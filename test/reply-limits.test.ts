import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime } from '../src/runtime/runtime.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import type { Tool } from '../src/tools/tool.ts';
import { ALICE, buildAgent, buildTool } from './build.ts';
import { EVENT_STREAM, type FakeReply, sendPieces, startModelServer, writeEvents } from './fakes/model-server.ts';
import { collect, temporaryFolder } from './runtime.ts';

const MB = 1_000_000;
const delta = (part: object, finish_reason: string | null = null) =>
  writeEvents({ choices: [{ index: 0, delta: part, finish_reason }] });
const say = (content: string): FakeReply =>
  sendPieces([delta({ content }), delta({}, 'stop'), 'data: [DONE]\n\n'], EVENT_STREAM);
const callPart = (index: number, args: string) => ({
  tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'echo', arguments: args } }],
});
const ask = (count: number): FakeReply => {
  const parts = Array.from({ length: count }, (_, index) => delta(callPart(index, '{"text":"a"}')));
  return sendPieces([parts.join(''), delta({}, 'tool_calls'), 'data: [DONE]\n\n'], EVENT_STREAM);
};

/** Repeats a piece until `bytes` are sent or the reader has left; counts the accepted bytes. */
function flood(piece: string, bytes: number, sent = { bytes: 0 }): FakeReply {
  return async (response: ServerResponse) => {
    response.writeHead(200, EVENT_STREAM);
    const closed = once(response, 'close');
    while (sent.bytes < bytes && !response.destroyed) {
      sent.bytes += piece.length;
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
  };
}

interface Scene {
  replies: FakeReply[];
  agent?: Record<string, unknown>;
  model?: Record<string, unknown>;
  tool?: Tool;
}

async function open({ replies, agent, model, tool = buildTool() }: Scene) {
  const provider = await startModelServer(replies);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const tools = async () => [tool];
  const source = { name: 'test', tools, status: () => ({ state: 'ready' as const, tools: [] }), close: async () => {} };
  const config = { provider: 'openai_compatible', name: 'm', endpoint: provider.url, api_key: 'k', ...model };
  const runtime = await createRuntime({
    agents: [buildAgent({ model: config, ...agent })],
    folder: temporaryFolder(),
    sources: [source],
  });
  onTestFinished(() => runtime.stop());
  const chat = async (message: string, conversationId?: string) => {
    const turn = await runtime.chat(ALICE, { agent: 'helper', message, ...(conversationId && { conversationId }) });
    const last = (await collect(turn)).at(-1);
    if (last?.type !== 'turn-end') throw new Error(`ended with ${last?.type}`);
    return { result: last.result, conversationId: turn.conversationId };
  };
  const sizeOf = (index: number) => JSON.stringify(provider.requests[index]?.body).length;
  return { provider, chat, sizeOf };
}

const endOf = ({ status, finish_reason }: TurnResult) => ({ status, finish_reason });
const CUT = { status: 'completed', finish_reason: 'length' };

describe('a reply that is longer than it may be', () => {
  it('ends as length at reply_chars, is not read on, and is not sent whole in the next turn', async () => {
    const sent = { bytes: 0 };
    const text = 'All work and no play. '.repeat(200);
    const { chat, sizeOf } = await open({
      replies: [flood(delta({ content: text }), 100 * MB, sent), say('Fine.')],
      model: { max_tokens: 1000 },
    });
    const { result, conversationId } = await chat('hello');
    expect(endOf(result)).toEqual(CUT);
    expect(result.content).toHaveLength(256_000);
    expect(result.warning).toContain('cut');
    expect(sent.bytes).toBeLessThan(20 * MB);
    await chat('and now?', conversationId);
    expect(sizeOf(1)).toBeLessThan(520_000);
  });

  it.each([
    ['reasoning', { reasoning_content: 'hm '.repeat(2_000) }, 'length'],
    ['reasoning details', { reasoning_details: [{ type: 'text', index: 0, text: 'hm '.repeat(2_000) }] }, 'length'],
    // The call fails or runs, and then the model answers.
    ['arguments', callPart(0, 'x'.repeat(6_000)), 'completed'],
    ['names of calls', callPart(0, ''), 'completed'],
  ])('counts %s', async (_, part, finish_reason) => {
    const sent = { bytes: 0 };
    const agent = { limits: { reply_chars: 20_000 } };
    const { chat } = await open({ replies: [flood(delta(part), 31 * MB, sent), say('Fine.')], agent });
    const { result } = await chat('hello');
    expect(endOf(result)).toEqual({ status: 'completed', finish_reason });
    expect(sent.bytes).toBeLessThan(20 * MB);
  });

  it('is capped by its uncompressed size', async () => {
    const sent = { bytes: 0 };
    const piece = delta({ content: 'a'.repeat(10_000) });
    const compressed: FakeReply = async (response) => {
      response.writeHead(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      const closed = once(response, 'close');
      while (sent.bytes < 300 * MB && !response.destroyed) {
        sent.bytes += piece.length;
        if (!gzip.write(piece)) await Promise.race([once(gzip, 'drain'), closed]);
      }
      gzip.end();
    };
    const { chat, provider } = await open({ replies: [compressed] });
    const { result } = await chat('hello');
    expect(endOf(result)).toEqual(CUT);
    expect(result.content).toHaveLength(256_000);
    expect(sent.bytes).toBeLessThan(100 * MB);
    expect(provider.requests).toHaveLength(1);
  });
});

describe('a reply with more calls than may run', () => {
  it.each([
    [200, 200],
    [10_000, 256],
  ])('of %i calls runs 64; %i are on record, and the model reads why the rest was not run', async (count, recorded) => {
    let runs = 0;
    const tool = buildTool({ run: () => ++runs });
    const { chat, provider } = await open({ replies: [ask(count), say('Fine.')], tool });
    const { result } = await chat('go');
    expect(endOf(result)).toEqual({ status: 'completed', finish_reason: 'completed' });
    expect(runs).toBe(64);
    expect(result.tool_calls.map(({ state }) => state)).toEqual([
      ...Array(64).fill('completed'),
      ...Array(recorded - 64).fill('failed'),
    ]);
    const sent = JSON.stringify(provider.requests[1]?.body);
    expect(sent).toContain(
      `a reply may have at most 64 calls. The reply had ${count}; call 65 and all later ones were not run`,
    );
    expect(sent.match(/"role":"tool"/g)).toHaveLength(recorded);
  });

  it('obeys limits.calls_per_reply', async () => {
    let runs = 0;
    const tool = buildTool({ run: () => ++runs });
    const { chat } = await open({ replies: [ask(5), say('Fine.')], tool, agent: { limits: { calls_per_reply: 2 } } });
    const { result } = await chat('go');
    expect(runs).toBe(2);
    expect(result.tool_calls).toHaveLength(5);
  });
});

describe('a request to a model', () => {
  const long = 'Once upon a time. '.repeat(10_000);

  it('fits into the context after a long answer, which is cut and not left out', async () => {
    const { chat, sizeOf, provider } = await open({
      replies: [say(long), say('Fine.')],
      agent: { limits: { context_tokens: 8_000 } },
    });
    const { conversationId } = await chat('hello');
    await chat('and now?', conversationId);
    const sent = JSON.stringify(provider.requests[1]?.body);
    expect(sizeOf(1) / 4).toBeLessThan(8_000);
    expect(sent).toContain('Once upon a time.');
    expect(sent).toContain('are left out here');
    expect(sent).toContain('and now?');
  });

  it('fits also when the first message alone is too long', async () => {
    const { chat, sizeOf, provider } = await open({
      replies: [say('Fine.')],
      agent: { limits: { context_tokens: 1_000 } },
    });
    const { result } = await chat(`First. ${'x'.repeat(9_000)} Last.`);
    expect(result.content).toBe('Fine.');
    expect(sizeOf(0) / 4).toBeLessThan(1_300);
    expect(JSON.stringify(provider.requests[0]?.body)).toMatch(/First\. x+.*are left out here.*x+ Last\./);
  });
});
