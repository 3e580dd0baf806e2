import { describe, expect, it } from 'vitest';
import type { Message } from '../schema/conversation/message.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { findKnownNames as find } from './known-names.ts';

const shared = { id: '01M7H2WK2PQYNYCFSQWFMGD4CW', timestamp: '2026-01-01T00:00:00.000Z', metadata: {} };

function returned(name: string, result: Json): Message[] {
  const call = { id: `${name}-1`, name, arguments: {} };
  return [
    { ...shared, role: 'assistant', content: '', tool_calls: [call] },
    { ...shared, role: 'tool', content: JSON.stringify(result), tool_call_id: call.id },
  ];
}

const findKnownNames = (args: JsonObject, history: Message[]) => find(args, { history, calls: [], isOwn: () => true });

const TASKS = {
  tasks: [
    { id: 'u-1', title: 'buy\u001b[31m milk\nnow', user_id: 'me' },
    { id: 'u-2', title: 'call Bob' },
  ],
};

describe('findKnownNames', () => {
  it('names the things that earlier results named, sanitized and in one line', () => {
    expect(findKnownNames({ task_id: 'u-1', note: 'u' }, returned('list_tasks', TASKS))).toEqual([
      { argument: 'task_id', name: 'buy milk now', tool: 'list_tasks' },
    ]);
  });

  it('takes the newest name, and names each of several ids', () => {
    const messages = [...returned('list_tasks', TASKS), ...returned('update_task', { id: 'u-2', title: 'call Ann' })];
    expect(findKnownNames({ ids: ['u-1', 'u-2', 'u-3'] }, messages).map(({ name }) => name)).toEqual([
      'buy milk now',
      'call Ann',
    ]);
  });

  it.each([
    ['an id that belongs to something else', { user_id: 'me' }, TASKS],
    ['an owner beside another id', { user_id: 'me' }, { task_id: 'u-1', user_id: 'me', title: 'x' }],
    ['a result that is no JSON', { id: 'u-1' }, 'text'],
    ['a thing without a name', { id: 'u-1' }, { id: 'u-1' }],
  ])('says nothing for %s', (_, args, result) => {
    expect(findKnownNames(args, returned('list_tasks', result))).toEqual([]);
  });

  it('knows a thing by the name of the argument', () => {
    const messages = returned('find', [{ task_id: 7, name: 'seventh' }]);
    expect(findKnownNames({ task_id: 7 }, messages)).toEqual([{ argument: 'task_id', name: 'seventh', tool: 'find' }]);
  });

  it('takes the results of the running turn as newer than the history', () => {
    const call = { id: 'c', name: 'rename', arguments: {}, result: { id: 'u-2', title: 'call Ann' } };
    const among = { history: returned('list_tasks', TASKS), isOwn: () => true };
    expect(find({ task_id: 'u-2' }, { ...among, calls: [{ ...call, state: 'completed' }] })).toMatchObject([
      { name: 'call Ann', tool: 'rename' },
    ]);
    expect(find({ task_id: 'u-2' }, { ...among, calls: [{ ...call, state: 'failed' }] })).toMatchObject([
      { name: 'call Bob', tool: 'list_tasks' },
    ]);
  });

  it('never takes a name from a tool of the client', () => {
    const isOwn = (tool: string) => tool !== 'page_list';
    expect(find({ task_id: 'u-2' }, { history: returned('page_list', TASKS), calls: [], isOwn })).toEqual([]);
  });

  it('survives a result that nests without end', () => {
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const messages = returned('list_tasks', TASKS).map((message) => ({ ...message, content: deep }));
    expect(findKnownNames({ task_id: 'u-2' }, messages)).toEqual([]);
  });
});
