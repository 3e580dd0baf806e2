import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/schema/json.ts';
import { type FakeModelServer, sendPieces, sendStatus, startModelServer, writeEvents } from './model-server.ts';

/** A provider that checks its own earlier replies, and refuses the request if a part of them is lost or changed. */
export interface StrictProvider {
  provider: string;
  name: string;
  /** The state that must be sent back; shown in the test's name. */
  keeps: string;
  /** A reply that calls the tool `echo` with this id of the provider. */
  call(id: string): string;
  text: string;
  /** The call's id, its result's id and its signature in a request; an entry per call. */
  read(body: Body): { call: unknown; result: unknown; state: unknown }[];
  /** The `state` that `read` must find for the call with this id. */
  state(id: string): unknown;
}

/** Any request body; each provider reads its own part of it. */
type Body = { messages?: Entry[]; contents?: Entry[]; input?: Entry[] };
type Entry = JsonObject & {
  role?: string;
  content?: Entry[];
  parts?: (Entry & { functionCall?: Entry; functionResponse?: Entry })[];
  tool_calls?: Entry[];
};

const sign = (id: string) => `signature of ${id}`;
const named = (...events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const delta = (part: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: part, finish_reason }],
});
const pick = (entries: Entry[] | undefined, test: (entry: Entry) => boolean) => (entries ?? []).filter(test);

function readChat(body: Body, stateOf: (message: Entry, call: Entry) => unknown) {
  const results = pick(body.messages, ({ role }) => role === 'tool');
  const calls = (body.messages ?? []).flatMap((message) =>
    (message.tool_calls ?? []).map((call) => ({ call: call.id, state: stateOf(message, call) })),
  );
  return calls.map((call, index) => ({ ...call, result: results[index]?.tool_call_id }));
}

function chatCall(id: string, extra: { first?: object; call?: object }): string {
  const call = { index: 0, id, type: 'function', function: { name: 'echo', arguments: '{"text":"a"}' }, ...extra.call };
  return writeEvents(
    ...(extra.first ? [delta(extra.first)] : []),
    delta({ tool_calls: [call] }, 'tool_calls'),
    '[DONE]',
  );
}

const chatText = writeEvents(delta({ content: 'Well done.' }, 'stop'), '[DONE]');

export const STRICT_PROVIDERS: readonly StrictProvider[] = [
  {
    provider: 'openai_compatible',
    name: 'gemini-3-pro-preview',
    keeps: 'the thought signature of a call',
    call: (id) => chatCall(id, { call: { extra_content: { google: { thought_signature: sign(id) } } } }),
    text: chatText,
    read: (body) => readChat(body, (_, call) => call.extra_content),
    state: (id) => ({ google: { thought_signature: sign(id) } }),
  },
  {
    provider: 'openai_compatible',
    name: 'deepseek-chat',
    keeps: 'reasoning_content',
    call: (id) => chatCall(id, { first: { reasoning_content: sign(id) } }),
    text: chatText,
    read: (body) => readChat(body, (message) => message.reasoning_content),
    state: sign,
  },
  {
    provider: 'openai_compatible',
    name: 'anthropic/claude-sonnet-4.5',
    keeps: 'reasoning_details, put together',
    call: (id) => {
      const parts = [
        { type: 'reasoning.text', text: 'Let me ', index: 0, format: 'anthropic-claude-v1' },
        { type: 'reasoning.text', text: 'see.', signature: sign(id), index: 0, format: 'anthropic-claude-v1' },
      ];
      const [first, second] = parts.map((part) => delta({ reasoning: part.text, reasoning_details: [part] }));
      return writeEvents(first, second) + chatCall(id, {});
    },
    text: chatText,
    read: (body) => readChat(body, (message) => message.reasoning_details),
    state: (id) => [
      { type: 'reasoning.text', text: 'Let me see.', signature: sign(id), index: 0, format: 'anthropic-claude-v1' },
    ],
  },
  {
    provider: 'google',
    name: 'gemini-3-pro-preview',
    keeps: 'the thought signature of a call',
    call: (id) =>
      writeEvents({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ functionCall: { id, name: 'echo', args: { text: 'a' } }, thoughtSignature: sign(id) }],
            },
            finishReason: 'STOP',
            index: 0,
          },
        ],
      }),
    text: writeEvents({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Well done.' }] }, finishReason: 'STOP', index: 0 }],
    }),
    read: ({ contents }) => {
      const parts = (contents ?? []).flatMap((entry) => entry.parts ?? []);
      const results = parts.flatMap((part) => (part.functionResponse ? [part.functionResponse.id] : []));
      const calls = parts.filter((part) => part.functionCall);
      return calls.map((part, index) => ({
        call: part.functionCall?.id,
        result: results[index],
        state: part.thoughtSignature,
      }));
    },
    state: sign,
  },
  {
    provider: 'anthropic',
    name: 'claude-sonnet-4-5',
    keeps: 'thinking blocks, in their order',
    call: (id) =>
      named(
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'c',
            content: [],
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        } as { type: string },
        ...claudeBlock(0, { type: 'redacted_thinking', data: `hidden ${sign(id)}` }, []),
        ...claudeBlock(1, { type: 'thinking', thinking: '', signature: '' }, [
          { type: 'thinking_delta', thinking: 'Let me see.' },
          { type: 'signature_delta', signature: sign(id) },
        ]),
        ...claudeBlock(2, { type: 'tool_use', id, name: 'echo', input: {} }, [
          { type: 'input_json_delta', partial_json: '{"text":"a"}' },
        ]),
        ...claudeEnd('tool_use'),
      ),
    text: named(
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'c',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      } as { type: string },
      ...claudeBlock(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Well done.' }]),
      ...claudeEnd('end_turn'),
    ),
    read: ({ messages }) => {
      const blocks = (messages ?? []).flatMap((message) => (Array.isArray(message.content) ? [message.content] : []));
      const results = blocks.flat().filter((block) => block.type === 'tool_result');
      return blocks
        .filter((block) => block.some(({ type }) => type === 'tool_use'))
        .map((block, index) => ({
          call: block.find(({ type }) => type === 'tool_use')?.id,
          result: results[index]?.tool_use_id,
          state: block.map(({ type, data, signature }) => [type, data ?? signature ?? null]),
        }));
    },
    state: (id) => [
      ['redacted_thinking', `hidden ${sign(id)}`],
      ['thinking', sign(id)],
      ['tool_use', null],
    ],
  },
  {
    provider: 'openai',
    name: 'gpt-5-mini',
    keeps: 'reasoning items, each before its call',
    call: (id) => openAiReply([openAiReasoning(id), openAiCall(id)]),
    text: openAiReply([
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Well done.', annotations: [] }],
      },
    ]),
    read: ({ input }) => {
      const items = input ?? [];
      const results = pick(items, ({ type }) => type === 'function_call_output');
      const positions = items.flatMap(({ type }, index) => (type === 'function_call' ? [index] : []));
      return positions.map((position, index) => ({
        call: items[position]?.call_id,
        result: results[index]?.call_id,
        state: items[position - 1]?.encrypted_content,
      }));
    },
    state: sign,
  },
];

function claudeBlock(index: number, content_block: object, deltas: object[]): { type: string }[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((part) => ({ type: 'content_block_delta', index, delta: part })),
    { type: 'content_block_stop', index },
  ] as { type: string }[];
}

function claudeEnd(stop_reason: string): { type: string }[] {
  return [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ] as { type: string }[];
}

const openAiReasoning = (id: string) => ({
  id: `rs_${id}`,
  type: 'reasoning',
  encrypted_content: sign(id),
  summary: [],
});
const openAiCall = (id: string) => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name: 'echo',
  arguments: '{"text":"a"}',
});

interface OpenAiItem extends Record<string, unknown> {
  id: string;
  type: string;
  content?: { text: string; [key: string]: unknown }[];
}

function openAiReply(items: OpenAiItem[]): string {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5-mini', output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const parts = items.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, encrypted_content: undefined, content: [] } },
    ...(item.content ?? []).map(({ text }) => ({
      type: 'response.output_text.delta',
      item_id: item.id,
      output_index,
      content_index: 0,
      delta: text,
    })),
    { type: 'response.output_item.done', output_index, item },
  ]);
  return named(
    { type: 'response.created', response: { ...response, status: 'in_progress' } } as { type: string },
    ...parts,
    { type: 'response.completed', response: { ...response, status: 'completed', usage } } as { type: string },
  );
}

export interface StrictServer extends FakeModelServer {
  /** The reasons of refused requests. */
  faults: string[];
}

/** Calls the tool in its first `calls` replies and then answers. Refuses every request that lost required state. */
export async function startStrictProvider(provider: StrictProvider, calls = 1): Promise<StrictServer> {
  const faults: string[] = [];
  const ids = Array.from({ length: calls }, (_, index) => `their-${index + 1}`);
  let asked = 0;
  const server = await startModelServer([
    async (response) => {
      const due = ids.slice(0, asked).map((id) => ({ call: id, result: id, state: provider.state(id) }));
      // The body is JSON in the provider's own protocol.
      const found = provider.read(server.requests.at(-1)?.body as Body);
      if (!isDeepStrictEqual(found, due)) {
        faults.push(JSON.stringify({ found, due }));
        return sendStatus(400, '{"error":{"message":"Function call is missing a signature"}}')(response);
      }
      const id = ids[asked];
      if (id !== undefined) asked++;
      return sendPieces([id === undefined ? provider.text : provider.call(id)])(response);
    },
  ]);
  return { ...server, faults };
}
