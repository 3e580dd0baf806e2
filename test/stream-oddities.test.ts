import { describe, expect, it } from 'vitest';
import { createModel } from '../src/models/create-model.ts';
import type { Model } from '../src/models/model.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { ModelConfig } from '../src/schema/agent.ts';
import { ALICE, buildAgent } from './build.ts';
import { collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { sendPieces, sendStatus, startModelServer, writeEvents } from './fakes/model-server.ts';
import { expectedChunks, findText, joinText, WIRE_PROTOCOLS, type WireProtocol } from './fakes/wire-protocols.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

const options = { signal: NEVER_ABORTED };
const ask = async (model: Model, request = makeRequest()) => {
  const { chunks, error } = await collectOutcome(model.stream(request, options));
  return { chunks: joinText(chunks), error };
};
const delta = (part: object, finish_reason: string | null = null, index = 0) => ({
  choices: [{ index, delta: part, finish_reason }],
});
const compatible = WIRE_PROTOCOLS.find(({ provider }) => provider === 'openai_compatible') as WireProtocol;
const anthropic = WIRE_PROTOCOLS.find(({ provider }) => provider === 'anthropic') as WireProtocol;

async function play(...pieces: (string | Uint8Array)[]) {
  await using server = await startModelServer([sendPieces(pieces)]);
  return await ask(compatible.create(server.url));
}

describe('<think> in the content', () => {
  const whole = '<think>Müsli or\n<milk>?</think>\n\nAdding 1 < 2 of `<think>` 🥛';
  const expected = {
    chunks: [
      { type: 'reasoning', text: 'Müsli or\n<milk>?' },
      { type: 'text', text: 'Adding 1 < 2 of `<think>` 🥛' },
      { type: 'finish', reason: 'stop' },
    ],
    error: undefined,
  };
  const stream = (...texts: string[]) =>
    writeEvents(...texts.map((content) => delta({ content })), delta({}, 'stop'), '[DONE]');

  it('is reasoning, wherever the content is cut', async () => {
    for (let cut = 0; cut <= whole.length; cut++)
      expect(await play(stream(whole.slice(0, cut), whole.slice(cut))), `cut at ${cut}`).toEqual(expected);
  });

  it('is reasoning character by character', async () => {
    expect(await play(stream(...whole))).toEqual(expected);
  });

  it.each([
    ['in the middle of an answer', 'One <think>two</think>three', ['text One ', 'reasoning two', 'text three']],
    ['several times', '<think>a</think>b<think>c</think>d', ['reasoning a', 'text b', 'reasoning c', 'text d']],
    ["as Gemini's <thought>", '<thought>a</thought>b', ['reasoning a', 'text b']],
    ['without its opening tag', 'a</think>b', ['text ab']],
    ['that only begins like one', 'a <thin', ['text a <thin']],
  ])('%s', async (_, content, parts) => {
    const { chunks, error } = await play(stream(content));
    const seen = chunks.flatMap((chunk) => ('text' in chunk ? [`${chunk.type} ${chunk.text}`] : []));
    expect({ seen, error }).toEqual({ seen: parts, error: undefined });
  });

  it('never closed is an empty answer', async () => {
    expect((await play(stream('<think>so much to think'))).error).toMatchObject({ code: 'model_bad_reply' });
  });
});

describe('several choices', () => {
  it('are not mixed', async () => {
    const events = writeEvents(
      delta({ content: 'Second' }, null, 1),
      delta({ content: 'First' }),
      {
        choices: [
          { index: 1, delta: { content: ' of two' }, finish_reason: 'length' },
          { index: 0, delta: { content: ' of one' }, finish_reason: null },
        ],
      },
      delta({ tool_calls: [{ index: 0, id: 'x', function: { name: 'other', arguments: '{}' } }] }, null, 1),
      delta({}, 'stop'),
      '[DONE]',
    );
    expect(await play(events)).toEqual({
      chunks: [
        { type: 'text', text: 'First of one' },
        { type: 'finish', reason: 'stop' },
      ],
      error: undefined,
    });
  });
});

describe('a legacy function_call', () => {
  it.each([
    ['in parts', [{ name: 'add_task', arguments: '' }, { arguments: '{"title":' }, { arguments: '"milk"}' }]],
    ['whole', [{ name: 'add_task', arguments: '{"title":"milk"}' }]],
  ])('is a call (%s)', async (_, parts) => {
    const events = parts.map((function_call) => delta({ role: 'assistant', content: null, function_call }));
    const { chunks, error } = await play(writeEvents(...events, delta({}, 'function_call'), '[DONE]'));
    expect(error).toBeUndefined();
    expect(chunks).toMatchObject([
      { type: 'tool-call', name: 'add_task', arguments: '{"title":"milk"}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });
});

const END_WITHOUT_WORDS: Record<string, string> = {
  openai_compatible: writeEvents(delta({ role: 'assistant', content: '' }), delta({}, 'stop'), '[DONE]'),
  anthropic: [
    '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
    '{"type":"message_stop"}',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join(''),
  google: writeEvents({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }] }),
  openai: [
    '{"type":"response.created","response":{"id":"r","object":"response","created_at":1,"status":"in_progress","model":"g","output":[]}}',
    '{"type":"response.completed","response":{"id":"r","object":"response","created_at":1,"status":"completed","model":"g","output":[],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join(''),
};

describe.each(WIRE_PROTOCOLS)('$provider', (protocol) => {
  it('may begin with a byte order mark', async () => {
    const mark = Buffer.from('\uFEFF');
    // The mark is directly before the first event, not before the comment that begins one of the replies.
    const bytes = protocol.reply.subarray(protocol.reply.toString().search(/^(event|data):/m));
    for (const pieces of [
      [mark, bytes],
      [Buffer.concat([mark, bytes])],
      [mark.subarray(0, 1), mark.subarray(1), bytes],
    ]) {
      await using server = await startModelServer([sendPieces(pieces)]);
      expect(await ask(protocol.create(server.url))).toEqual({ chunks: expectedChunks(protocol), error: undefined });
    }
  });

  const silence = END_WITHOUT_WORDS[protocol.provider] ?? '';
  const afterCall = makeRequest({
    messages: [
      makeMessage({ role: 'user', content: 'Add milk' }),
      makeMessage({ role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'add_task', arguments: {} }] }),
      makeMessage({ role: 'tool', tool_call_id: 'a', content: 'added' }),
    ],
  });

  it('may end without words after tool calls', async () => {
    await using server = await startModelServer([sendPieces([silence])]);
    const { chunks, error } = await ask(protocol.create(server.url), afterCall);
    expect(error).toBeUndefined();
    expect(chunks).toMatchObject([{ type: 'finish', reason: 'stop' }]);
  });

  it('must answer a question with words', async () => {
    await using server = await startModelServer([sendPieces([silence])]);
    expect((await ask(protocol.create(server.url))).error).toMatchObject({ code: 'model_bad_reply' });
  });

  it('that ends a turn of calls without words leaves an answer to read', async () => {
    await using server = await startModelServer([sendPieces([protocol.reply]), sendPieces([silence])]);
    const folder = temporaryFolder();
    const runtime = await createRuntime({ agents: [buildAgent()], folder, model: protocol.create(server.url) });
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Add milk' }));
    await runtime.stop();
    expect(events.at(-1)).toMatchObject({ result: { status: 'completed', content: 'Adding “café” 🥛 for\nyou' } });
  });
});

describe('a model that ends a turn of calls without any word', () => {
  it('leaves a word of ours, streamed and stored', async () => {
    const replies = [{ calls: [{ name: 'echo' }] }, { chunks: [{ type: 'finish' as const, reason: 'stop' as const }] }];
    const { runtime } = await openRuntime({ replies });
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Add milk' }));
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['Done.']);
    expect(events.at(-1)).toMatchObject({ result: { status: 'completed', content: 'Done.' } });
  });
});

describe('unknown events of Anthropic', () => {
  it.each([
    ['an event', 'event: context_trimmed\ndata: {"type":"context_trimmed","tokens":7}'],
    [
      'a delta',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"mood_delta","mood":1}}',
    ],
    [
      'a block',
      [
        '{"type":"content_block_start","index":9,"content_block":{"type":"hologram","id":"h"}}',
        '{"type":"content_block_delta","index":9,"delta":{"type":"hologram_delta","x":1}}',
        '{"type":"content_block_stop","index":9}',
      ]
        .map((data) => `data: ${data}`)
        .join('\n\n'),
    ],
  ])('%s does not end a reply', async (_, event) => {
    const { end } = findText(anthropic);
    const pieces = [anthropic.reply.subarray(0, end), `${event}\n\n`, anthropic.reply.subarray(end)];
    await using server = await startModelServer([sendPieces(pieces)]);
    expect(await ask(anthropic.create(server.url))).toEqual({ chunks: expectedChunks(anthropic), error: undefined });
  });
});

describe("Ollama's models without tools", () => {
  it('are named, with what to do', async () => {
    const body =
      '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}';
    await using server = await startModelServer([sendStatus(400, body)]);
    const config = ModelConfig.parse({ provider: 'ollama', name: 'gemma:2b', endpoint: `${server.url}/v1` });
    const model = await createModel(config, { builtin: async () => createScriptedModel([]) });
    const { error } = await ask(model);
    expect(error).toMatchObject({
      code: 'model_refused',
      author: `The model "gemma:2b" at ${new URL(server.url).host} cannot call tools (status 400), which this agent has: choose a model that can, such as qwen3 or llama3.1 (\`ollama pull qwen3\`), in model.name or with \`holodeck use\`. The provider's answer: registry.ollama.ai/library/gemma:2b does not support tools`,
    });
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/show', '/api/chat']);
  });
});
