import { describe, expect, it } from 'vitest';
import { makeMessage, makeRequest } from '../../../test/fakes/model-request.ts';
import type { ModelRequest } from '../model.ts';
import { writePrompt } from './ai-sdk-prompt.ts';
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
