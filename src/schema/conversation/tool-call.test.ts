import { describe, expect, it } from 'vitest';
import { canBecome, isEnded, ToolCall, ToolCallState, ToolError } from './tool-call.ts';

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

describe('canBecome and isEnded', () => {
  it('let a call go forward only, and end once', () => {
    const moves = ToolCallState.options.map((from) => [
      from,
      ToolCallState.options.filter((to) => canBecome(from, to)),
    ]);
    expect(Object.fromEntries(moves)).toEqual({
      pending: ['waiting', 'running', 'completed', 'failed', 'timeout', 'unknown'],
      waiting: ['running', 'completed', 'failed', 'unknown'],
      running: ['waiting', 'completed', 'failed', 'timeout', 'unknown'],
      completed: [],
      failed: [],
      timeout: [],
      unknown: [],
    });
    expect(ToolCallState.options.filter(isEnded)).toEqual(['completed', 'failed', 'timeout', 'unknown']);
  });
});
