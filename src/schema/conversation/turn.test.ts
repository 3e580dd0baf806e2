import { describe, expect, it } from 'vitest';
import { canTurnBecome, isTurnEnded, TurnResult, TurnStatus } from './turn.ts';

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

describe('canTurnBecome and isTurnEnded', () => {
  it('let a turn wait, be interrupted and continue, and end once', () => {
    const moves = TurnStatus.options.map((from) => [from, TurnStatus.options.filter((to) => canTurnBecome(from, to))]);
    expect(Object.fromEntries(moves)).toEqual({
      running: ['waiting', 'completed', 'max_iterations_reached', 'cancelled', 'error', 'interrupted'],
      waiting: ['running', 'cancelled'],
      interrupted: ['running', 'cancelled'],
      completed: [],
      max_iterations_reached: [],
      cancelled: [],
      error: [],
    });
    expect(TurnStatus.options.filter(isTurnEnded)).toEqual([
      'completed',
      'max_iterations_reached',
      'cancelled',
      'error',
    ]);
  });
});
