import { describe, expect, it } from 'vitest';
import { Message } from './message.ts';

const shared = { id: '01J9Z3V8Q4M5N6P7R8S9T0VWXY', timestamp: '2026-01-01T00:00:00.000Z', metadata: {} };
const tool_calls = [{ id: 'c', name: 'add', arguments: {} }];
const pathsOf = (value: unknown) => Message.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('Message', () => {
  it.each([
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'be brief', metadata: { source: 'agent', open: [1, null] } },
    { role: 'assistant', content: 'hello' },
    { role: 'assistant', content: '', tool_calls },
    { role: 'tool', content: '', tool_call_id: 'c' },
    { role: 'user', content: 'hi', tokens_used: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ])('takes %j', (about) => {
    expect(Message.parse({ ...shared, ...about })).toEqual({ ...shared, ...about });
  });

  it.each([
    ['an empty user text', { role: 'user', content: '' }, ['content']],
    ['a blank user text', { role: 'user', content: ' \n' }, ['content']],
    ['an empty system text', { role: 'system', content: ' ' }, ['content']],
    ['an empty assistant text without calls', { role: 'assistant', content: '' }, ['content']],
    ['an empty list of calls', { role: 'assistant', content: '', tool_calls: [] }, ['tool_calls']],
    ['calls of a user', { role: 'user', content: 'hi', tool_calls }, ['']],
    ['calls of a tool', { role: 'tool', content: 'x', tool_call_id: 'c', tool_calls }, ['']],
    ['a result without its call', { role: 'tool', content: 'x' }, ['tool_call_id']],
    ['a call id of an assistant', { role: 'assistant', content: 'x', tool_call_id: 'c' }, ['']],
    ['another role', { role: 'developer', content: 'x' }, ['role']],
    ['an id that is none', { role: 'user', content: 'x', id: '1' }, ['id']],
    ['a time without a zone', { role: 'user', content: 'x', timestamp: '2026-01-01T00:00:00' }, ['timestamp']],
    ['no metadata', { role: 'user', content: 'x', metadata: undefined }, ['metadata']],
    ['null for what is absent', { role: 'user', content: 'x', tokens_used: null }, ['tokens_used']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf({ ...shared, ...about })).toEqual(paths);
  });
});
