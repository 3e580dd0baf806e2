import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/clock.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { systemIds } from '../../src/ids.ts';
import type { Model, ModelChunk } from '../../src/models/model.ts';
import { createAnthropicModel } from '../../src/models/providers/anthropic.ts';
import { createGoogleModel } from '../../src/models/providers/google.ts';
import { createOpenAiModel } from '../../src/models/providers/openai.ts';
import { createOpenAiCompatibleModel } from '../../src/models/providers/openai-compatible.ts';
import type { ProviderSettings } from '../../src/models/providers/provider-settings.ts';
import type { JsonObject } from '../../src/schema/json.ts';

/** A wire protocol: how to create its model, and a reply as its provider writes it. */
export interface WireProtocol {
  provider: string;
  /** The path of requests, relative to the endpoint. */
  path: string;
  reply: Buffer;
  /** The part without which the reply has not ended. */
  lastNeeded: string;
  /** An error that the provider reports inside a reply, and its code. */
  report: { event: string; code: ErrorCode };
  /** The state that the provider must get back with its own message. */
  state: JsonObject;
  create(endpoint: string): Model;
}

const settings = { temperature: 0.3, maxTokens: 100, apiKey: 'test-key', clock: systemClock, ids: systemIds };

function makeProtocol(
  parts: Omit<WireProtocol, 'reply' | 'create'> & { file: string; name: string },
  create: (settings: ProviderSettings & { endpoint: string }) => Model,
): WireProtocol {
  const { file, name, ...rest } = parts;
  const reply = readFileSync(new URL(`../fixtures/wire/${file}`, import.meta.url));
  return { ...rest, reply, create: (endpoint) => create({ ...settings, name, endpoint }) };
}

export const WIRE_PROTOCOLS: readonly WireProtocol[] = [
  makeProtocol(
    {
      provider: 'openai_compatible',
      file: 'openai-compatible.sse',
      name: 'small',
      path: '/chat/completions',
      report: { event: 'data: {"error":{"code":503,"message":"No instance is free"}}', code: 'model_unavailable' },
      lastNeeded: '"finish_reason":"tool_calls"',
      state: {
        calls: [{ id: 'call_1', extra: { google: { thought_signature: 'c2ln' } } }, { id: 'call_2' }],
        fields: { reasoning_content: 'Müsli or 牛乳?' },
      },
    },
    createOpenAiCompatibleModel,
  ),
  makeProtocol(
    {
      provider: 'anthropic',
      file: 'anthropic.sse',
      name: 'claude-sonnet-4-5',
      path: '/messages',
      report: {
        event: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        code: 'model_rate_limited',
      },
      lastNeeded: '"stop_reason":"tool_use"',
      state: {
        calls: [{ id: 'call_1' }, { id: 'call_2' }],
        parts: [
          { type: 'reasoning', text: 'Müsli or 牛乳?', metadata: { anthropic: { signature: 'c2ln' } } },
          { type: 'text', chars: 24, metadata: {} },
          { type: 'call' },
          { type: 'call' },
        ],
      },
    },
    createAnthropicModel,
  ),
  makeProtocol(
    {
      provider: 'google',
      file: 'google.sse',
      name: 'gemini-2.5-flash',
      path: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      report: {
        event: 'data: {"error":{"code":503,"message":"Try later","status":"UNAVAILABLE"}}',
        code: 'model_unavailable',
      },
      lastNeeded: '"finishReason":"STOP"',
      state: { calls: [{ id: 'call_1', extra: { google: { thoughtSignature: 'c2ln' } } }, { id: 'call_2' }] },
    },
    createGoogleModel,
  ),
  makeProtocol(
    {
      provider: 'openai',
      file: 'openai.sse',
      name: 'gpt-5-mini',
      path: '/responses',
      report: {
        event: 'event: error\ndata: {"type":"error","sequence_number":9,"code":"server_error","message":"Sorry"}',
        code: 'model_unavailable',
      },
      lastNeeded: '"type":"response.completed"',
      state: {
        calls: [
          { id: 'call_1', extra: { openai: { itemId: 'fc_1' } } },
          { id: 'call_2', extra: { openai: { itemId: 'fc_2' } } },
        ],
        parts: [
          {
            type: 'reasoning',
            text: 'Müsli or 牛乳?',
            metadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'c2ln' } },
          },
          { type: 'text', chars: 24, metadata: { openai: { itemId: 'msg_1' } } },
          { type: 'call' },
          { type: 'call' },
        ],
      },
    },
    createOpenAiModel,
  ),
];

/** The chunks that every reply must produce. */
export function expectedChunks(protocol: WireProtocol): ModelChunk[] {
  const { label } = protocol.create('http://127.0.0.1');
  const usage = { prompt_tokens: 31, completion_tokens: 21, total_tokens: 52 };
  const metadata = { model_state: { label, ...protocol.state } };
  return [...CONTENT, { type: 'finish', reason: 'tool-calls', usage, metadata }];
}

const CONTENT: readonly ModelChunk[] = [
  { type: 'reasoning', text: 'Müsli or 牛乳?' },
  { type: 'text', text: 'Adding “café” 🥛 for\nyou' },
  { type: 'tool-call', id: 'call_1', name: 'add_task', arguments: '{"title":"café 🥛"}' },
  { type: 'tool-call', id: 'call_2', name: 'list_tasks', arguments: '{}' },
];

/** The start and end of the last text event in a reply. */
export function findText({ reply }: WireProtocol): { start: number; end: number } {
  const text = reply.indexOf(' 🥛 for');
  return { start: reply.lastIndexOf('\n\n', text) + 2, end: reply.indexOf('\n\n', text) + 2 };
}

/** The arguments of each call, joined from their pieces. */
export function joinPieces(chunks: readonly ModelChunk[]): string[] {
  const joined: string[] = [];
  for (const chunk of chunks)
    if (chunk.type === 'call-part') joined[chunk.index] = (joined[chunk.index] ?? '') + chunk.text;
  return joined;
}

/** Joins text, so that the result does not depend on how it was cut. */
export function joinText(chunks: readonly ModelChunk[]): ModelChunk[] {
  const joined: ModelChunk[] = [];
  for (const chunk of chunks.filter(({ type }) => type !== 'call-part')) {
    const last = joined.at(-1);
    const isText = chunk.type === 'text' || chunk.type === 'reasoning';
    if (isText && last?.type === chunk.type) last.text += chunk.text;
    else joined.push({ ...chunk });
  }
  return joined;
}
