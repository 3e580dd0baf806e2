import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConditionQuestions, scoreConditions } from '../../scripts/condition-questions.ts';
import { loadWordVectors } from '../../src/builtin/word-vectors.ts';
import { systemClock } from '../../src/clock.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { loadSpace } from '../../src/space/load-space.ts';
import { createSpaceDesk } from '../../src/space/space-desk.ts';
import { createSqlRunner } from '../../src/space/sql-runner.ts';
import { temporaryFolder } from '../runtime.ts';
import { answered, ask, openDomains, openRetail } from './scene.ts';

const FILE = new URL('../../data/routing/conditions.tsv', import.meta.url);
const RETAIL = fileURLToPath(new URL('../../agents/retail/', import.meta.url));
const vectors = loadWordVectors();
const QUESTIONS = readConditionQuestions(FILE);
const MAX_FALSE_ALARMS = 0.02;

async function openDesk(name: string) {
  const space = await loadSpace(`spaces/${name}.yaml`, { cwd: RETAIL, root: RETAIL });
  const runner = createSqlRunner({ space: name, folder: temporaryFolder(), files: space.tables, clock: systemClock });
  onTestFinished(() => runner.close());
  return { space, desk: createSpaceDesk({ space, runner, vectors: () => vectors, clock: systemClock }) };
}

describe('a condition that no answer rests on', () => {
  it('is told or the question declined, and nothing is told where there is none', { timeout: 240_000 }, async () => {
    const runtime = await openRetail();
    const score = await scoreConditions(QUESTIONS, async (text) => (await ask(runtime, text)).result);
    expect(score.misses.filter(({ expected }) => expected !== '')).toEqual([]);
    expect(score.falseAlarms / score.plain).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
  });

  it.each(['sales', 'stock', 'reviews'])(
    'is never found in a trusted question of %s',
    { timeout: 120_000 },
    async (name) => {
      const { space, desk } = await openDesk(name);
      const phrases = space.file.questions.flatMap(({ question, examples }) => [question, ...examples]);
      for (const question of phrases.filter((text) => !text.includes('{'))) {
        const outcome = await desk.answer(question, AbortSignal.timeout(20_000));
        expect({ question, outcome }).toMatchObject({ question, outcome: { answer: { unused: [] } } });
      }
    },
  );

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

  it('is told once where a domain that it is about could not answer, whose suggestions are no quotations', async () => {
    const { result } = await ask(await openRetail(), 'How much lifetime value is at risk because of stockouts?');
    expect(result.content).toContain('Inventory could not answer: There is no ready answer for this here.');
    expect(result.content).not.toContain('not taken into account');
    expect(result).toMatchObject({ confidence: 'medium', error_details: [{ domain: 'inventory' }] });
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
