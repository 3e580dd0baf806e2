import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Message } from './message.ts';
import { addUsage, TokenUsage, tokenUsage } from './token-usage.ts';
import { isEnded, ToolCall, ToolCallState, ToolError } from './tool-call.ts';
import { isTurnEnded, TurnResult, TurnStatus } from './turn.ts';

const lists = { tool_calls: [], sources: [], suggestions: [], messages: [] };
const result = {
  ...lists,
  status: 'completed',
  finish_reason: 'completed',
  content: 'Done.',
  iterations: 1,
  partial_results: false,
  execution_time_ms: 12,
};
const error = { code: 'model_unavailable', error_type: 'ModelError', message: 'The model could not be reached.' };
const failedCall = {
  id: 'c',
  name: 'add',
  arguments: {},
  state: 'failed',
  error: { error_type: 'Timeout', message: 'late' },
};
const pathsOf = (about: object) =>
  TurnResult.safeParse({ ...result, ...about }).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('TurnResult', () => {
  it.each([
    ['an answer', {}],
    ['an answer in spite of a failed tool', { tool_calls: [failedCall] }],
    ['an error with its reason', { status: 'error', finish_reason: 'error', error }],
    ['nothing said when cancelled', { status: 'cancelled', finish_reason: 'cancelled', content: '' }],
    ['nothing said while waiting', { status: 'waiting', finish_reason: 'waiting', content: '' }],
    ['three suggestions', { suggestions: ['a', 'b', 'c'] }],
    ['a limit with a warning', { status: 'max_iterations_reached', finish_reason: 'max_iterations', warning: 'w' }],
    ['checked numbers', { confidence: 'medium', checks: [{ text: '7', start: 0, end: 1, found: false }] }],
    ['parts that failed', { partial_results: true, error_details: [{ domain: 'sales', reason: 'down' }] }],
  ])('takes %s', (_, about) => {
    expect(pathsOf(about)).toEqual([]);
  });

  it.each([
    ['an error without its reason', { status: 'error', finish_reason: 'error' }, ['error']],
    ['a reason without an error', { error }, ['error']],
    ['an empty answer', { content: ' ' }, ['content']],
    ['an empty answer at the limit', { status: 'max_iterations_reached', content: '' }, ['content']],
    ['an empty error', { status: 'error', error, content: '' }, ['content']],
    ['a turn that still runs', { status: 'running' }, ['status']],
    ['four suggestions', { suggestions: ['a', 'b', 'c', 'd'] }, ['suggestions']],
    ['another confidence', { confidence: 0.9 }, ['confidence']],
    ['another finish', { finish_reason: 'stop' }, ['finish_reason']],
    ['part of an iteration', { iterations: 1.5 }, ['iterations']],
    ['a negative time', { execution_time_ms: -1 }, ['execution_time_ms']],
    ['an error type of its own', { status: 'error', error: { ...error, error_type: 'Oops' } }, ['error.error_type']],
    ['a broken call', { tool_calls: [{ ...failedCall, error: undefined }] }, ['tool_calls.0.error']],
    ['missing lists', { sources: undefined }, ['sources']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf(about)).toEqual(paths);
  });
});

describe('isTurnEnded', () => {
  it('is true for a turn that nothing continues', () => {
    expect(TurnStatus.options.filter(isTurnEnded)).toEqual([
      'completed',
      'max_iterations_reached',
      'cancelled',
      'error',
    ]);
  });
});

describe('tool call', () => {
  const call = { id: 'c', name: 'add', arguments: {}, state: 'pending' };
  const error = { error_type: 'Timeout', message: 'late' };
  const times = { started_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:01.000Z', duration_ms: 1000 };
  const pathsOf = (about: object) =>
    ToolCall.safeParse({ ...call, ...about }).error?.issues.map(({ path }) => path.join('.')) ?? [];

  describe('ToolCall', () => {
    it.each([
      {},
      { state: 'waiting' },
      { state: 'running', sent_arguments: { a: 1 }, started_at: times.started_at },
      { state: 'completed', result: null, domain: 'sales', ...times },
      { state: 'completed', result: 'text', ...times, duration_ms: 1000.4 },
      { state: 'failed', error },
      { state: 'timeout', error: { ...error, details: [1] } },
      { state: 'unknown', error },
    ])('takes %j', (about) => {
      expect(pathsOf(about)).toEqual([]);
    });

    it.each([
      ['both a result and an error', { state: 'completed', result: 1, error }, ['error']],
      ['failed without a reason', { state: 'failed' }, ['error']],
      ['timeout without a reason', { state: 'timeout' }, ['error']],
      ['unknown without a reason', { state: 'unknown' }, ['error']],
      ['completed without a result', { state: 'completed' }, ['result']],
      ['pending with a result', { result: 1 }, ['state']],
      ['waiting with an error', { state: 'waiting', error }, ['state']],
      ['running with a result', { state: 'running', result: 1 }, ['state']],
      [
        'an end that is not start and duration',
        { state: 'completed', result: 1, ...times, duration_ms: 5 },
        ['completed_at'],
      ],
      ['a negative duration', { duration_ms: -1 }, ['duration_ms']],
      ['arguments that are no object', { arguments: [] }, ['arguments']],
      ['another state', { state: 'success' }, ['state']],
      ['an empty id', { id: '' }, ['id']],
      ['an empty name', { name: '' }, ['name']],
      ['a key of its own', { status: 'ok' }, ['']],
    ])('refuses %s', (_, about, paths) => {
      expect(pathsOf(about)).toEqual(paths);
    });
  });

  describe('ToolError', () => {
    it.each([{ ...error, message: '' }, { ...error, error_type: 'Oops' }, { message: 'x' }])('refuses %j', (value) => {
      expect(ToolError.safeParse(value).success).toBe(false);
    });
  });

  describe('isEnded', () => {
    it('is true for a call that has an outcome', () => {
      expect(ToolCallState.options.filter(isEnded)).toEqual(['completed', 'failed', 'timeout', 'unknown']);
    });
  });
});

describe('message', () => {
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
});

describe('TokenUsage', () => {
  it.each([
    ['a total that is not the sum', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 4 }],
    ['a negative count', { prompt_tokens: -1, completion_tokens: 2, total_tokens: 1 }],
    ['a part of a token', { prompt_tokens: 0.5, completion_tokens: 0.5, total_tokens: 1 }],
    ['a missing count', { prompt_tokens: 1, total_tokens: 1 }],
    ['other counts', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, reasoning_tokens: 1 }],
  ])('refuses %s', (_, usage) => {
    expect(TokenUsage.safeParse(usage).success).toBe(false);
  });
});

describe('tokenUsage and addUsage', () => {
  const count = fc.nat();

  it('always give a total that is the sum', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const sum = addUsage(tokenUsage(a, b), tokenUsage(c, d));
        expect(TokenUsage.parse(sum)).toEqual(tokenUsage(a + c, b + d));
      }),
    );
  });

  it('treat absent usage as not reported', () => {
    const usage = tokenUsage(1, 2);
    expect([addUsage(usage, undefined), addUsage(undefined, usage), addUsage(undefined, undefined)]).toEqual([
      usage,
      usage,
      undefined,
    ]);
  });
});
