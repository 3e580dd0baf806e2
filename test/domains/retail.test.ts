import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sweep } from '../long.ts';
import { ask, retailOfFile } from './scene.ts';

const FILE = new URL('../fixtures/routing/questions.tsv', import.meta.url);
const QUESTIONS = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [domains = '', question = ''] = line.split('\t');
    return { domains: domains.split(',').filter(Boolean).toSorted(), question };
  });

/** Questions with their answers, computed from the CSV files by hand. */
const ANSWERS: [string, string, 'high' | 'medium'][] = [
  ['Which location has the most stock?', 'North Warehouse has the highest stock: 27,676 units.', 'high'],
  [
    'Which stores in the West region have the most stockouts?',
    'Grand Mall Store has the highest stockouts: 162',
    'medium',
  ],
  [
    'Which product was out of stock the longest?',
    'Cedar Knit Sweater has the highest days out of stock: 466',
    'medium',
  ],
  ['What is the total stock value?', '$5,141,816', 'high'],
  ['What share of customers has churned?', '14% (558 of 4,000)', 'high'],
  ['How many VIPs do we have?', '221 customers', 'medium'],
  ['How many customers are in the West?', '980 customers', 'high'],
  ['What do churned customers complain about?', 'Availability has the most with 84', 'medium'],
  ['How many units of Aspen Boots do we have?', 'Stock: ', 'medium'],
];

/** Questions that must not be answered with high confidence: they say more, less or something else than the data. */
const NOT_HIGH = [
  'Which store sells the most?',
  'How much did we sell in October?',
  'Which category has the lowest turnover?',
  'What will sales be next month?',
  'Which location has the most stock in rainy weather?',
  'What are our best products?',
  'How many stockouts are there right now?',
  'How many new customers do we have?',
  'How many active customers do we have?',
  'How many units were received?',
  'How much lifetime value is at risk?',
  'Revenue in August 2023',
];

const retail = retailOfFile();

describe('the retail agent', () => {
  it('answers with what was computed first, and every figure found', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const [question, text, confidence] of ANSWERS) {
      const { result } = await ask(runtime, question);
      expect({ question, content: result.content, confidence: result.confidence }).toEqual({
        question,
        content: expect.stringContaining(text),
        confidence,
      });
      const echo = result.routing?.reading?.echo ?? '';
      expect(result.content.toLowerCase().startsWith(`${echo.toLowerCase()}.`)).toBe(true);
      expect((result.checks ?? []).filter((check) => !check.found)).toEqual([]);
      expect(result.content).not.toMatch(/\bSELECT\b|[{}]/);
    }
  });

  it('is never high for a question that the data does not answer as asked', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const question of NOT_HIGH) {
      const { result } = await ask(runtime, question);
      expect({ question, confidence: result.confidence }).not.toEqual({ question, confidence: 'high' });
    }
  });

  it('invents no figure for a question about its domains, and declines the others', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const { domains, question } of sweep(QUESTIONS, 3)) {
      const { result } = await ask(runtime, question);
      expect((result.checks ?? []).filter((check) => !check.found)).toEqual([]);
      if (domains.length === 0) expect(result).toMatchObject({ tool_calls: [], sources: [], suggestions: [] });
      if (result.tool_calls.length === 0) expect(result.confidence).not.toBe('high');
    }
  });

  it('edits the last query where a question leans on it, and asks back after a declined one', async () => {
    const { runtime } = retail;
    const first = await ask(runtime, 'What share of customers has churned?');
    const gold = await ask(runtime, 'How does that look for Gold members?', first.conversationId);
    expect(gold.result.content).toContain('0 of 580');
    const declined = await ask(runtime, 'Which category has the lowest staff costs?', first.conversationId);
    expect(declined.result.tool_calls).toEqual([]);
    const late = await ask(runtime, 'And for Silver members?', first.conversationId);
    expect(late.result.tool_calls).toEqual([]);
    expect(late.result.content).toContain('it is not clear which question it continues');
  });

  it('asks other domains for the names that a ranking found', async () => {
    const { runtime } = retail;
    const { result } = await ask(runtime, 'Top 3 products by revenue and stock');
    expect(result.sources).toEqual(['customer_behavior.sales', 'inventory.stock']);
    const [sales, stock] = result.tool_calls.map((call) => call.result as { rows: { product: string }[] });
    const names = (list: { product: string }[] = []) => list.map(({ product }) => product).toSorted();
    expect(names(stock?.rows)).toEqual(names(sales?.rows));
  });

  it('emits routing first and the checked figures between the text and the end', async () => {
    const { runtime } = retail;
    const { events } = await ask(runtime, 'How many customers do we have?');
    const kinds = events.map(({ type }) => type);
    expect(kinds[1]).toBe('routing');
    expect(kinds.slice(-3)).toEqual(['step-end', 'annotation', 'turn-end']);
  });
});
