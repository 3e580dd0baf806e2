import { describe, expect, it } from 'vitest';
import { readConditionQuestions, scoreConditions } from '../../scripts/condition-questions.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { answered, ask, openDomains, openRetail } from './scene.ts';

const FILE = new URL('../../data/routing/conditions.tsv', import.meta.url);
const QUESTIONS = readConditionQuestions(FILE);
const MAX_FALSE_ALARMS = 0.02;

describe('a condition that no answer rests on', () => {
  it('is told or the question declined, and nothing is told where there is none', { timeout: 240_000 }, async () => {
    const runtime = await openRetail();
    const score = await scoreConditions(QUESTIONS, async (text) => (await ask(runtime, text)).result);
    expect(score.misses.filter(({ expected }) => expected !== '')).toEqual([]);
    expect(score.falseAlarms / score.plain).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
  });

  it('is told first in the answer, and beside it', async () => {
    const runtime = await openRetail();
    const { result } = await ask(runtime, 'What were our top selling products in Paris?');
    expect(result.content).toMatch(
      /^"in Paris" was not taken into account\. This answers: What are our top selling products\?\n\n/,
    );
    expect(result).toMatchObject({
      confidence: 'medium',
      partial_results: true,
      error_details: [{ reason: '"in Paris" was not taken into account.' }],
      tool_calls: [{ result: { not_taken_into_account: [{ words: 'Paris' }] } }],
    });
  });

  it('is told when a follow-up adds it', async () => {
    const runtime = await openRetail();
    const first = await ask(runtime, 'What are our top selling products?');
    const next = await ask(runtime, 'And by region?', first.conversationId);
    expect(first.result.confidence).toBe('high');
    expect(next.result).toMatchObject({
      confidence: 'medium',
      error_details: [{ reason: '"by region" was not taken into account.' }],
    });
  });

  it('lowers the confidence of any model, also when the model itself leaves it out', async () => {
    const query = { name: 'query_space_sales', arguments: { query: 'total sales' } };
    const model = createScriptedModel([{ calls: [query] }, 'Sales were 500.']);
    const scene = { name: 'sales', capabilities: ['sales'], answer: async () => answered('500.', [{ sales: 500 }]) };
    const { result } = await ask(await openDomains([scene], {}, model), 'What were total sales in Paris last month?');
    expect(result).toMatchObject({
      content: 'Sales were 500.',
      confidence: 'low',
      partial_results: true,
      error_details: [{ reason: '"in Paris" and "last month" were not taken into account.' }],
    });
  });
});
