import { describe, expect, it } from 'vitest';
import { makeMessage, makeRequest } from '../../../test/fakes/model-request.ts';
import { keepCalls, keepMetadata } from '../kept-metadata.ts';
import type { ModelRequest } from '../model.ts';
import type { Origin } from '../origin.ts';
import type { StreamPart } from './ai-sdk-parts.ts';
import { writePrompt } from './ai-sdk-prompt.ts';
import { createSdkReply } from './ai-sdk-reply.ts';
import { writeOpenAiBody } from './openai-body.ts';

const call = (id: string) => ({ id, name: 'add', arguments: { x: id } });
const history = [
  makeMessage({ role: 'user', content: 'Go' }),
  makeMessage({
    role: 'assistant',
    content: '',
    tool_calls: [call('a'), call('b')],
    metadata: {
      model_state: {
        label: 'm',
        calls: [{ id: 'their a' }, { id: 'their b', extra: { p: { sign: 2 } } }],
        parts: [{ type: 'reasoning', text: 'hm', metadata: { p: { sign: 1 } } }, { type: 'call' }, { type: 'call' }],
      },
    },
  }),
  makeMessage({ role: 'tool', tool_call_id: 'b', content: 'two' }),
  makeMessage({ role: 'tool', tool_call_id: 'a', content: 'one' }),
  makeMessage({ role: 'assistant', content: 'Done' }),
];
const callPart = (id: string, toolCallId = id) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'add',
  input: { x: id },
});
const resultPart = (toolCallId: string, value: string) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'add',
  output: { type: 'text', value },
});

describe('writePrompt', () => {
  it('names the tool that must be called, here and in chat completions', () => {
    const tools = [{ name: 'add', description: '', inputSchema: { type: 'object' } }];
    const written = (request: Partial<ModelRequest>) => {
      const whole = makeRequest({ messages: history.slice(0, 1), tools, ...request });
      const { tool_choice } = JSON.parse(writeOpenAiBody(whole, { label: 'm', name: 'x' }));
      return [writePrompt(whole, 'm').toolChoice, tool_choice];
    };
    expect(written({})).toEqual([{ type: 'auto' }, undefined]);
    expect(written({ toolChoice: 'required' })).toEqual([{ type: 'required' }, 'required']);
    expect(written({ toolChoice: { name: 'add' } })).toEqual([
      { type: 'tool', toolName: 'add' },
      { type: 'function', function: { name: 'add' } },
    ]);
  });

  it('writes the history with results in call order, and the ids and signatures of the same model', () => {
    expect(writePrompt(makeRequest({ messages: history }), 'm').prompt).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { p: { sign: 1 } } },
          callPart('a', 'their a'),
          { ...callPart('b', 'their b'), providerOptions: { p: { sign: 2 } } },
        ],
      },
      { role: 'tool', content: [resultPart('their a', 'one'), resultPart('their b', 'two')] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    ]);
  });

  it('leaves out the ids and signatures of another model', () => {
    expect(writePrompt(makeRequest({ messages: history }), 'other').prompt[2]).toEqual({
      role: 'assistant',
      content: [callPart('a'), callPart('b')],
    });
  });

  it('offers the tools', () => {
    const inputSchema = { type: 'object' };
    const { tools, toolChoice } = writePrompt(
      makeRequest({ tools: [{ name: 'add', description: 'Adds', inputSchema }] }),
      'm',
    );
    expect({ tools, toolChoice }).toEqual({
      tools: [{ type: 'function', name: 'add', description: 'Adds', inputSchema }],
      toolChoice: { type: 'auto' },
    });
  });

  it('declares the tools of the history but allows none when none are offered', () => {
    const { tools, toolChoice } = writePrompt(makeRequest({ messages: history }), 'm');
    expect({ names: tools?.map((tool) => tool.name), toolChoice }).toEqual({
      names: ['add'],
      toolChoice: { type: 'none' },
    });
    expect(writePrompt(makeRequest(), 'm').tools).toBeUndefined();
  });
});

describe('ai sdk reply', () => {
  const ORIGIN: Origin = { provider: 'anthropic', model: 'm', host: 'h', headerValues: [] };
  const call = (id: string, input: string): StreamPart => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'echo',
    input,
  });

  function readAll(parts: StreamPart[], maxChars: number) {
    const reply = createSdkReply({ origin: ORIGIN, label: 'l', date: () => new Date(0), mayBeEmpty: false, maxChars });
    const chunks = parts.flatMap((part) => (reply.isCut() ? [] : (reply.read(part) ?? [])));
    return { chunks: [...chunks, ...(reply.isCut() ? reply.finish() : [])], isCut: reply.isCut() };
  }

  describe('a reply of a provider package', () => {
    it('is cut where its text becomes too long, and ends as length', () => {
      const text = (delta: string): StreamPart => ({ type: 'text-delta', id: '1', delta });
      expect(readAll([text('abc'), text('def'), text('ghi')], 5)).toEqual({
        chunks: [
          { type: 'text', text: 'abc' },
          { type: 'text', text: 'de' },
          { type: 'finish', reason: 'length' },
        ],
        isCut: true,
      });
    });

    it('counts arguments once, whether they come in parts or whole, and keeps the calls before the cut', () => {
      const part = (id: string, delta: string): StreamPart => ({ type: 'tool-input-delta', id, delta });
      const parts = [part('a', '{"x"'), part('a', ':1}'), call('a', '{"x":1}'), call('b', '{"x":2}')];
      expect(readAll(parts, 22)).toEqual({ chunks: [], isCut: false });
      expect(readAll(parts, 21).chunks.map(({ type }) => type)).toEqual(['tool-call', 'finish']);
    });

    it('counts reasoning', () => {
      const parts: StreamPart[] = [{ type: 'reasoning-delta', id: '1', delta: 'hmm' }];
      expect(readAll(parts, 2).chunks).toEqual([
        { type: 'reasoning', text: 'hm' },
        { type: 'finish', reason: 'length' },
      ]);
    });
  });
});

describe('kept metadata', () => {
  const thought = { type: 'reasoning', text: 'hm' };
  const call = { type: 'call' };

  describe('keepCalls', () => {
    it('removes calls by position and keeps the rest of the reply', () => {
      const calls = [{ id: 'a', extra: 'signed' }, { id: 'b' }, { id: 'c' }];
      const before = { note: 1, ...keepMetadata('model', { calls, parts: [thought, call, call, thought, call] }) };
      expect(keepCalls(before, (index) => index === 1)).toEqual({
        note: 1,
        ...keepMetadata('model', { calls: [{ id: 'b' }], parts: [thought, call, thought] }),
      });
    });

    it('changes nothing if no model stored anything', () => {
      expect(keepCalls({ note: 1 }, () => false)).toEqual({ note: 1 });
    });
  });
});
