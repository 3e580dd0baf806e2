import { describe, expect, it } from 'vitest';
import { Conversation, conversationState, ThreadId } from './conversation.ts';

const at = '2026-01-01T10:00:00.000Z';
const conversation = {
  id: '01J9Z3V8Q4M5N6P7R8S9T0VWXY',
  agent: 'todo',
  created_at: at,
  last_updated: at,
  last_activity: at,
  message_count: 0,
  metadata: { title: 'Milk', domains_accessed: [] },
};
const pathsOf = (about: object) =>
  Conversation.safeParse({ ...conversation, ...about }).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('Conversation', () => {
  it.each([
    {},
    { thread_id: 'my thread' },
    { last_updated: '2026-01-01T10:00:00.001Z' },
    { created_at: '2026-01-01T10:00:00Z', last_updated: '2026-01-01T10:00:00.500Z' },
    { created_at: '2026-01-01T12:00:00+02:00', last_updated: '2026-01-01T10:00:00Z' },
  ])('takes %j', (about) => {
    expect(pathsOf(about)).toEqual([]);
  });

  it.each([
    ['a change before its beginning', { last_updated: '2026-01-01T09:59:59.999Z' }, ['last_updated']],
    ['a change before it in another zone', { last_updated: '2026-01-01T11:00:00+02:00' }, ['last_updated']],
    ['no agent', { agent: '' }, ['agent']],
    ['a negative count', { message_count: -1 }, ['message_count']],
    ['an id that is none', { id: 'x' }, ['id']],
    ['an empty thread', { thread_id: '' }, ['thread_id']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf(about)).toEqual(paths);
  });
});

describe('ThreadId', () => {
  it.each(['a', 'thread 7/ü', '😀'.repeat(128)])('takes %.20s', (id) => expect(ThreadId.parse(id)).toBe(id));

  it.each(['', 'x'.repeat(129), 'a\nb', 'a\u0000', 'a\u200bb', '\ud800'])('refuses %j', (id) => {
    expect(ThreadId.safeParse(id).success).toBe(false);
  });
});

describe('conversationState', () => {
  it('is idle only after the whole time to live', () => {
    const states = [1_800_000, 1_800_001].map((ms) =>
      conversationState(Conversation.parse(conversation), 1800, Date.parse(at) + ms),
    );
    expect(states).toEqual(['active', 'idle']);
  });
});
