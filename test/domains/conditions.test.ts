import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { sweep } from '../long.ts';
import { readConditionQuestions, scoreConditions } from './condition-questions.ts';
import { answered, ask, openDomains, retailOfFile } from './scene.ts';

const FILE = new URL('../fixtures/routing/conditions.tsv', import.meta.url);
const QUESTIONS = sweep(readConditionQuestions(FILE), 3);
/** Answers that report words as unused although the question has no unusable condition. */
const MAX_FALSE_ALARMS = 0.02;

const retail = retailOfFile();

describe('a condition that no answer rests on', () => {
  it('is reported or the question declined, and nothing is reported without one', { timeout: 240_000 }, async () => {
    const { runtime } = retail;
    const used = new Map<string, string>();
    const score = await scoreConditions(QUESTIONS, async (text) => {
      const { result } = await ask(runtime, text);
      used.set(text, (result.routing?.reading?.spans ?? []).map(({ words }) => words.toLowerCase()).join(' '));
      return result;
    });
    // A condition that became a part of the executed query is answered.
    const isUsed = (question: string, words: string) => used.get(question)?.includes(words.toLowerCase()) ?? false;
    const missed = score.misses.filter(({ expected, question }) => expected !== '' && !isUsed(question, expected));
    expect(missed).toEqual([]);
    const isReported = ({ expected, got }: { expected: string; got: string }) =>
      expected === '' && got.includes('not taken into account');
    expect(score.misses.filter(isReported).length / score.plain).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
  });

  it('is named first, and no figure is given for another question', async () => {
    const { runtime } = retail;
    const { result } = await ask(runtime, 'What was our revenue in Paris?');
    expect(result.content).toMatch(/^I do not know "Paris" in this data/);
    expect(result).toMatchObject({
      confidence: 'low',
      tool_calls: [],
      routing: { reading: { not_understood: ['Paris'] } },
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
