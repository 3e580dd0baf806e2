import { describe, expect, it } from 'vitest';
import { makeMessage, makeRequest } from '../../test/fakes/model-request.ts';
import { writePrompt } from './ai-sdk-prompt.ts';

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
        reasoning: [{ text: 'hm', metadata: { p: { sign: 1 } } }],
        calls: { b: { p: { sign: 2 } } },
      },
    },
  }),
  makeMessage({ role: 'tool', tool_call_id: 'b', content: 'two' }),
  makeMessage({ role: 'tool', tool_call_id: 'a', content: 'one' }),
  makeMessage({ role: 'assistant', content: 'Done' }),
];
const callPart = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'add', input: { x: id } });
const resultPart = (id: string, value: string) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'add',
  output: { type: 'text', value },
});

describe('writePrompt', () => {
  it('writes the history with results in call order and the signatures of the same model', () => {
    expect(writePrompt(makeRequest({ messages: history }), 'm').prompt).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { p: { sign: 1 } } },
          callPart('a'),
          { ...callPart('b'), providerOptions: { p: { sign: 2 } } },
        ],
      },
      { role: 'tool', content: [resultPart('a', 'one'), resultPart('b', 'two')] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    ]);
  });

  it('leaves out the signatures of another model', () => {
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
