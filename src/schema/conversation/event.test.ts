import { describe, expect, it } from 'vitest';
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
