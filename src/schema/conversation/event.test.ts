import { describe, expect, it } from 'vitest';
import { Conversation, ThreadId } from './conversation.ts';
import { CallAnswer, CallWait, EventBody, isDelta, isPassing } from './event.ts';

const id = '01J9Z3V8Q4M5N6P7R8S9T0VWXY';

const result = {
  status: 'waiting',
  finish_reason: 'waiting',
  content: '',
  iterations: 1,
  partial_results: false,
  execution_time_ms: 1,
  tool_calls: [],
  sources: [],
  suggestions: [],
  messages: [],
};

describe('EventBody', () => {
  it.each([
    { type: 'text-delta', message_id: id, text: 'a' },
    {
      type: 'tool-call-run',
      call_id: 'c',
      tool: 'add',
      sent_arguments: {},
      started_at: '2026-01-01T00:00:00Z',
      overridden: ['user_id'],
    },
    { type: 'turn-wait', calls: ['c'], active_ms: 5, result },
    { type: 'notice', text: 'a retry' },
  ])('takes %j', (body) => {
    expect(EventBody.parse(body)).toEqual(body);
  });

  it.each([
    ['another type', { type: 'token' }],
    ['a delta without its message', { type: 'text-delta', text: 'a' }],
    ['waiting for nothing', { type: 'turn-wait', calls: [], active_ms: 0, result }],
    ['no intents', { type: 'intent', intents: [] }],
    ['a step that is not counted from one', { type: 'step-start', iteration: 0, message_id: id }],
    ['a key of its own', { type: 'notice', text: 'a', level: 1 }],
  ])('refuses %s', (_, body) => {
    expect(EventBody.safeParse(body).success).toBe(false);
  });
});

describe('CallWait and CallAnswer', () => {
  it('refuse an approval that names no arguments, and an answer with no decision or two decisions', () => {
    expect(CallWait.safeParse({ kind: 'approval', definition: 'x' }).success).toBe(false);
    const answers = [{}, { approved: true }, { result: null }, { approved: true, result: 1 }];
    expect(answers.map((answer) => CallAnswer.safeParse({ call_id: 'c', ...answer }).success)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('isPassing and isDelta', () => {
  it('separate transient events from events stored in segments', () => {
    const types = ['text-delta', 'reasoning-delta', 'tool-call-progress', 'notice', 'turn-interrupt'];
    const bodies = types.map((type) => ({ type, text: 'a', message_id: id, call_id: 'c' }) as EventBody);
    expect(bodies.filter(isPassing).map(({ type }) => type)).toEqual(['tool-call-progress', 'notice']);
    expect(bodies.filter(isDelta).map(({ type }) => type)).toEqual(['text-delta', 'reasoning-delta']);
  });
});

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
