import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnOutcome } from '../expect/outcome.ts';
import { measureSupport } from './support.ts';

const PASSAGE = {
  title: 'Leave',
  breadcrumb: ['Annual leave'],
  text: 'Every employee has 30 days of annual leave. Leave is requested from the site manager two weeks ahead.',
};

function outcome(content: string, turn: object = {}, passages: object[] = [PASSAGE]): TurnOutcome {
  const call = { id: 'c', name: 'search_handbook', arguments: {}, state: 'completed', result: { passages } };
  // The measure reads nothing else of a turn.
  return { turn, result: { content, tool_calls: [call as unknown as ToolCall] } } as unknown as TurnOutcome;
}

describe('measureSupport', () => {
  it.each([
    ['every statement of the answer', 'Employees have 30 days of annual leave [p1].', 1],
    [
      'one of two',
      'Employees have 30 days of annual leave [p1]. The canteen serves lunch until two in the afternoon.',
      0.5,
    ],
    ['a wrong number', 'Employees have 25 days of annual leave [p1].', 0],
    ['an answer that claims nothing', 'Which year do you mean?', 1],
  ])('faithfulness counts %s', (_, content, score) => {
    expect(measureSupport('faithfulness', outcome(content)).score).toBe(score);
  });

  it('contextual_recall counts the statements of the ground truth that were found, whatever the answer is', () => {
    const truth = 'An employee has 30 days of annual leave. Unused days expire on 31 March of the next year.';
    expect(measureSupport('contextual_recall', outcome('I do not know.', { ground_truth: truth }))).toEqual({
      score: 0.5,
      reason: 'no passage supports: Unused days expire on 31 March of the next year.',
    });
  });

  it('reads retrieval_context of the case in place of the calls, and fails without either', () => {
    const given = { retrieval_context: ['Lunch is served until two in the afternoon.'] };
    expect(measureSupport('faithfulness', outcome('Lunch is served until two.', given)).score).toBe(1);
    expect(measureSupport('faithfulness', outcome('Employees have 30 days of leave.', given)).score).toBe(0);
    expect(() => measureSupport('faithfulness', outcome('Lunch is served.', {}, []))).toThrow('retrieval_context');
    expect(() => measureSupport('contextual_recall', outcome('Lunch.'))).toThrow('ground_truth');
  });
});
