import { describe, expect, it } from 'vitest';
import {
  collectChunks,
  collectOutcome,
  makeMessage,
  makeRequest,
  NEVER_ABORTED,
} from '../../../test/fakes/model-request.ts';
import {
  EVENT_STREAM,
  type FakeModelServer,
  sendPieces,
  sendStatus,
  startModelServer,
  writeEvents,
} from '../../../test/fakes/model-server.ts';
import { AppError } from '../../errors.ts';
import { createOpenAiCompatibleModel } from './openai-compatible.ts';

const options = { signal: NEVER_ABORTED };
const makeModel = (server: FakeModelServer, parts: { apiKey?: string; keyVariable?: string } = {}) =>
  createOpenAiCompatibleModel({
    endpoint: `${server.url}/v1/`,
    name: 'small',
    temperature: 0.3,
    maxTokens: 100,
    ...parts,
  });
const makeDelta = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const makeCall = (call: {
  index?: number;
  id?: string;
  name?: string;
  arguments?: unknown;
  extra_content?: unknown;
}) => {
  const { name, arguments: args, ...rest } = call;
  return makeDelta({ tool_calls: [{ ...rest, type: 'function', function: { name, arguments: args } }] });
};
const finishCalls = makeDelta({}, 'tool_calls');

/** The reply without the pieces of its calls. */
async function play(...events: unknown[]) {
  const { chunks, ...rest } = await playAll(...events);
  return { ...rest, chunks: chunks.filter(({ type }) => type !== 'call-part') };
}

async function playAll(...events: unknown[]) {
  await using server = await startModelServer([sendPieces([writeEvents(...events)])]);
  return await collectOutcome(makeModel(server).stream(makeRequest(), options));
}

describe('createOpenAiCompatibleModel', () => {
  it('sends the request in the shape of the protocol, results in call order', async () => {
    await using server = await startModelServer([
      sendPieces([writeEvents(makeDelta({ content: 'Hi' }, 'stop'), '[DONE]')]),
    ]);
    const messages = [
      makeMessage({ role: 'user', content: 'Add two' }),
      makeMessage({
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', name: 'add', arguments: { title: 'one' } },
          { id: 'b', name: 'add', arguments: { title: 'two' } },
        ],
        metadata: {
          model_state: {
            label: 'openai_compatible small',
            calls: [{ id: 'their a' }, { id: 'their b', extra: { google: { thought_signature: 's' } } }],
          },
        },
      }),
      makeMessage({ role: 'tool', tool_call_id: 'b', content: 'second' }),
      makeMessage({ role: 'tool', tool_call_id: 'a', content: 'first' }),
    ];
    const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
    const request = makeRequest({ messages, tools: [{ name: 'add', description: 'Adds', inputSchema }] });
    await collectChunks(makeModel(server, { apiKey: 'secret' }).stream(request, options));
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(server.requests[0]?.body).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'Add two' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'their a', type: 'function', function: { name: 'add', arguments: '{"title":"one"}' } },
            {
              id: 'their b',
              type: 'function',
              function: { name: 'add', arguments: '{"title":"two"}' },
              extra_content: { google: { thought_signature: 's' } },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'their a', content: 'first' },
        { role: 'tool', tool_call_id: 'their b', content: 'second' },
      ],
      tools: [{ type: 'function', function: { name: 'add', description: 'Adds', parameters: inputSchema } }],
      temperature: 0.3,
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('reuses one connection for consecutive requests', async () => {
    const events = writeEvents(makeDelta({ content: 'Hi' }, 'stop'), '[DONE]');
    await using server = await startModelServer([sendStatus(200, events, EVENT_STREAM)]);
    const model = makeModel(server);
    const ports = new Set<unknown>();
    for (let turn = 0; turn < 3; turn++) {
      await collectChunks(model.stream(makeRequest(), options));
      await new Promise((resolve) => setImmediate(resolve));
      ports.add(server.requests[turn]?.remotePort);
    }
    expect(ports.size).toBe(1);
  });

  it('keeps the order of reasoning and text, and counts reasoning as completion', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 17 };
    expect(
      await play(
        makeDelta({ role: 'assistant', content: '' }),
        makeDelta({ reasoning_content: 'Hm', reasoning: 'Hm' }),
        makeDelta({ reasoning: ' so' }),
        makeDelta({ content: 'Good' }),
        makeDelta({ content: ' day' }, 'stop'),
        { choices: [], usage },
        '[DONE]',
      ),
    ).toEqual({
      chunks: [
        { type: 'reasoning', text: 'Hm so' },
        { type: 'text', text: 'Good day' },
        { type: 'finish', reason: 'stop', usage: { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 } },
      ],
      error: undefined,
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['something new', 'stop'],
  ])('maps the finish reason %s to %s', async (wire, reason) => {
    const { chunks } = await play(makeDelta({ content: 'x' }, wire), '[DONE]');
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason });
  });

  it.each([
    ['without [DONE]', [makeDelta({ content: 'x' }, 'stop')]],
    ['as a whole message', [{ choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }]],
    ['with content in parts', [makeDelta({ content: [{ type: 'text', text: 'x' }] }, 'stop'), '[DONE]']],
  ])('takes a reply %s', async (_, events) => {
    expect(await play(...events)).toEqual({
      chunks: [
        { type: 'text', text: 'x' },
        { type: 'finish', reason: 'stop' },
      ],
      error: undefined,
    });
  });

  it('accepts a whole JSON reply from a server that does not stream', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }, undefined, 2);
    await using server = await startModelServer([sendStatus(200, body, { 'content-type': 'application/json' })]);
    expect(await collectChunks(makeModel(server).stream(makeRequest(), options))).toEqual([
      { type: 'text', text: 'x' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

describe('tool calls of createOpenAiCompatibleModel', () => {
  const readCalls = async (...events: unknown[]) => {
    const { chunks, error } = await play(...events, finishCalls, '[DONE]');
    expect(error).toBeUndefined();
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    return chunks
      .slice(0, -1)
      .map((chunk) => (chunk.type === 'tool-call' ? [chunk.id, chunk.name, chunk.arguments] : chunk));
  };

  it('puts parts together by index', async () => {
    const calls = await readCalls(
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '' }),
      makeCall({ index: 1, id: 'b', name: 'two', arguments: '{"y"' }),
      makeCall({ index: 0, arguments: '{"x":' }),
      makeCall({ index: 1, arguments: ':2}' }),
      makeCall({ index: 0, arguments: '1}' }),
    );
    expect(calls).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ]);
  });

  it('separates whole calls that all have index 0', async () => {
    const calls = await readCalls(
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '{"x":1}' }),
      makeCall({ index: 0, id: 'b', name: 'one', arguments: '{"x":2}' }),
    );
    expect(calls).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'one', '{"x":2}'],
    ]);
  });

  it('separates calls that have no index', async () => {
    const calls = await readCalls(
      makeCall({ id: 'a', name: 'one', arguments: '{"x":' }),
      makeCall({ arguments: '1}' }),
      makeCall({ id: 'b', name: 'two', arguments: { y: 2 } }),
    );
    expect(calls).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ]);
  });

  it('continues a call whose id and name are repeated in every part', async () => {
    const calls = await readCalls(
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '{"x":' }),
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '1}' }),
    );
    expect(calls).toEqual([['a', 'one', '{"x":1}']]);
  });

  it('makes ids that are missing or doubled, and arguments that are absent', async () => {
    const calls = await readCalls(
      makeCall({ index: 0, name: 'one' }),
      makeCall({ index: 1, id: 'a', name: 'two', arguments: '{}' }),
      makeCall({ index: 2, id: 'a', name: 'three', arguments: '{}' }),
    );
    const made = expect.stringMatching(/^call_[0-9A-Z]{26}$/);
    expect(calls).toEqual([
      [made, 'one', '{}'],
      ['a', 'two', '{}'],
      [made, 'three', '{}'],
    ]);
  });

  it('stores the fields that must be sent back with a call', async () => {
    const extra_content = { google: { thought_signature: 'abc' } };
    const { chunks } = await play(
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '{}', extra_content }),
      finishCalls,
    );
    expect(chunks.at(-1)).toEqual({
      type: 'finish',
      reason: 'tool-calls',
      metadata: { model_state: { label: 'openai_compatible small', calls: [{ id: 'a', extra: extra_content }] } },
    });
  });

  it('finishes with tool-calls even if the server sends stop', async () => {
    const { chunks } = await play(makeCall({ index: 0, id: 'a', name: 'one' }), makeDelta({}, 'stop'), '[DONE]');
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it('returns the pieces of arguments as they come, for each call under its number', async () => {
    const { chunks } = await playAll(
      makeCall({ index: 0, id: 'a', name: 'one', arguments: '' }),
      makeCall({ index: 0, arguments: '{"x":' }),
      makeCall({ index: 1, id: 'b', name: 'two', arguments: '{}' }),
      makeCall({ index: 0, arguments: '1}' }),
      finishCalls,
    );
    const pieces = chunks.flatMap((chunk) =>
      chunk.type === 'call-part' ? [[chunk.index, chunk.name, chunk.text]] : [],
    );
    expect(pieces).toEqual([
      [0, 'one', '{"x":'],
      [1, 'two', '{}'],
      [0, 'one', '1}'],
    ]);
  });

  it('never returns calls of a reply that was cut', async () => {
    const { chunks, error } = await play(makeCall({ index: 0, id: 'a', name: 'one', arguments: '{}' }));
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ code: 'model_bad_reply' });
  });
});

describe('refusals met by createOpenAiCompatibleModel', () => {
  it('names the variable, the host and the status of a refused key, never the key', async () => {
    await using server = await startModelServer([sendStatus(401, 'bad key sk-secret-1')]);
    const model = makeModel(server, { apiKey: 'sk-secret-1', keyVariable: 'MY_KEY' });
    const { error } = await collectOutcome(model.stream(makeRequest(), options));
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('model_key_refused');
    expect(error.message).toBe('The model does not serve this agent. Please contact the people who run it.');
    expect(error.author).toBe(
      `${new URL(server.url).host} refused the key in MY_KEY for openai_compatible (status 401). Check that it is whole, still valid, and meant for this address. The provider's answer: bad key [redacted]`,
    );
    expect(String(error.cause)).not.toContain('sk-secret-1');
  });

  it.each([
    [400, '{"error":{"code":"context_length_exceeded"}}', 'context_too_long'],
    [400, '{"error":{"message":"API key not valid"}}', 'model_key_refused'],
    [400, '{"error":{"message":"bad tool"}}', 'model_refused'],
    [404, 'no such model', 'model_refused'],
    [429, '{"error":{"code":"insufficient_quota"}}', 'model_refused'],
  ])('turns status %i with %s into %s', async (status, body, code) => {
    await using server = await startModelServer([sendStatus(status, body)]);
    const { error } = await collectOutcome(makeModel(server).stream(makeRequest(), options));
    expect(error).toMatchObject({ code });
  });

  it('turns an error object inside the stream into its error', async () => {
    const { chunks, error } = await play(makeDelta({ content: 'so' }), { error: { code: 429, message: 'slow down' } });
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({ code: 'model_rate_limited' });
  });

  it('stops at once when the signal aborts, with its reason', async () => {
    const controller = new AbortController();
    await using server = await startModelServer([
      (response) => {
        response.flushHeaders();
        controller.abort('stopped');
      },
    ]);
    const outcome = collectOutcome(makeModel(server).stream(makeRequest(), { signal: controller.signal }));
    expect(await outcome).toEqual({ chunks: [], error: 'stopped' });
  });
});
