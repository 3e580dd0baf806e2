import { describe, expect, it } from 'vitest';
import { Intent, TodoIntent } from './intent.ts';

describe('Intent', () => {
  it.each([
    { name: 'create_task', parameters: { title: 'milk' } },
    { name: 'unknown', confidence: 0, parameters: {} },
    { name: 'x', confidence: 1, parameters: {}, clarification_question: 'Which one?' },
  ])('takes %j', (intent) => {
    expect(Intent.parse(intent)).toEqual(intent);
  });

  it.each([
    { name: '' },
    { confidence: 1.01 },
    { confidence: -0.01 },
    { parameters: undefined },
    { parameters: [] },
    { clarification_question: '' },
    { tool: 'add_task' },
  ])('refuses %j', (about) => {
    expect(Intent.safeParse({ name: 'a', parameters: {}, ...about }).success).toBe(false);
  });
});

describe('TodoIntent', () => {
  it('has the seven names', () => {
    expect(TodoIntent.options).toEqual([
      'create_task',
      'list_tasks',
      'complete_task',
      'delete_task',
      'update_task',
      'clarification_needed',
      'unknown',
    ]);
  });
});
