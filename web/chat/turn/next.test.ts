import { describe, expect, it } from 'vitest';
import { createTurn } from '../../state/turn.ts';
import { choicesOf } from './next.tsx';
import { untoldGaps } from './verdict.tsx';

it.each([
  ["Which task did you mean: 'buy oat milk' or 'Ann's milk'?", ['buy oat milk', "Ann's milk"]],
  ["Which task did you mean: 'a', 'b' or 'c'?", ['a', 'b', 'c']],
  ["Which task did you mean: 1. 'fix it' (due today) or 2. 'fix it' (no due date)?", ['1', '2']],
  ["I'm not sure what to do with 'milk'. Shall I add it to your tasks?", []],
  ['Which task should I delete?', []],
])('reads the choices of %j', (question, texts) => {
  const facts = { intent: { clarification_question: question } };
  expect(choicesOf({ ...createTurn('t', 'completed'), facts }).map(({ text }) => text)).toEqual(texts);
});

it('reads the subjects of a question about sources', () => {
  const text = 'Which of these do you mean? I can answer questions about:\n- Inventory: Stock\n- Sales: Orders';
  const routing = {
    user_query: 'how is it?',
    identified_domains: [],
    reasoning: 'unclear',
    confidence: 0.4,
    ambiguity_detected: true,
    clarification_needed: true,
    out_of_scope: false,
  };
  const turn = { ...createTurn('t', 'completed'), routing, parts: [{ kind: 'text' as const, id: 'x', text }] };
  expect(choicesOf(turn).map(({ label }) => label)).toEqual(['Inventory', 'Sales']);
});

describe('verdict', () => {
  const stock = { domain: 'stock_levels', reason: 'It broke.' };
  const tool = { tool: 'delete_task', reason: 'There is no task “milk”.' };

  it.each([
    ['says the reason and names the domain', [stock], 'Stock levels did not answer: **it broke**', []],
    ['says the reason of a tool', [tool], 'Sorry: there is no task "milk".', []],
    ['gives the reason of another domain', [stock], 'Sales: it broke.', [stock]],
    ['names the domain only', [stock], 'Nothing from stock_levels.', [stock]],
    ['has the reason only inside longer words', [stock], 'stock levels: unit brokers', [stock]],
    ['explains one failure of two', [stock, tool], 'There is no task milk.', [stock]],
  ])('an answer that %s', (_, gaps, answer, left) => {
    expect(untoldGaps(gaps, answer)).toEqual(left);
  });
});
