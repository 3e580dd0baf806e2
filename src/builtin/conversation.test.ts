import { describe, expect, it } from 'vitest';
import type { Message } from '../schema/conversation/message.ts';
import { readIds, readTurns } from './conversation.ts';

const shared = { id: '01J00000000000000000000000', timestamp: '2026-11-15T12:00:00Z', metadata: {} };
const user = (content: string): Message => ({ ...shared, role: 'user', content });
const call = (id: string): Message => ({
  ...shared,
  role: 'assistant',
  content: '',
  tool_calls: [{ id, name: 'list', arguments: {} }],
});
const outcome = (id: string, content: string): Message => ({ ...shared, role: 'tool', tool_call_id: id, content });
const read = (content: string) => readTurns([user('hi'), call('a'), outcome('a', content)])[0]?.records[0]?.outcome;

describe('readTurns', () => {
  it('groups calls and reply with their message', () => {
    const turns = readTurns([
      user('one'),
      call('a'),
      outcome('a', '3'),
      { ...shared, role: 'assistant', content: 'three' },
      user('two'),
    ]);
    expect(turns.map(({ message, records, reply }) => [message.content, records, reply])).toEqual([
      ['one', [{ name: 'list', arguments: {}, outcome: { result: 3 } }], 'three'],
      ['two', [], undefined],
    ]);
  });

  it('reads results, errors and plain text', () => {
    const error = { error_type: 'TaskNotFound', message: 'There is no such task.' };
    expect(read('[{"id":"1"}]')).toEqual({ result: [{ id: '1' }] });
    expect(read(JSON.stringify({ error }))).toEqual({ error });
    expect(read('It rains.')).toEqual({ result: 'It rains.' });
  });

  it('separates an unknown outcome from a failed one', () => {
    const error = { error_type: 'ToolInvocationError', message: 'cut off' };
    const lost = { ...outcome('a', JSON.stringify({ error })), metadata: { state: 'unknown' } };
    const [turn] = readTurns([user('hi'), call('a'), lost]);
    expect(turn?.records[0]?.outcome).toEqual({ error, isUnknown: true });
    expect(read(JSON.stringify({ error }))).toEqual({ error });
  });

  it('keeps the complete elements of a list that was cut', () => {
    expect(read('[{"id":"1"},{"id":"2"},{"id":"3","tit\n[900 of 1000 characters left out]')).toEqual({
      result: [{ id: '1' }, { id: '2' }],
      cut: true,
    });
  });
});

describe('readIds', () => {
  it('finds the ids in tool results, newest first', () => {
    const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const turns = readTurns([user('hi'), call('a'), outcome('a', JSON.stringify([{ id: first }, { id: second }]))]);
    expect(readIds(turns)).toEqual([second, first]);
  });
});
