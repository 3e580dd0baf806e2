import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAnswerPairs, SOURCES, scoreCorruption } from '../../../test/data/corrupt-answers.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { Json } from '../../schema/json.ts';
import { checkAnswer } from './check-answer.ts';
import { describeDropped, findDropped } from './dropped-words.ts';

const ROWS = [
  { product: 'Aspen Boots', abandonment_rate: 0.2531, carts: 1234, all_carts: 9000 },
  { product: 'Dover Parka', abandonment_rate: 0.22, carts: 640, all_carts: 9000 },
];
const call = (result: Json, id = 'sales', domain = 'customer_behavior'): ToolCall => ({
  id,
  name: `query_space_${id}`,
  domain,
  arguments: { query: 'in the last 30 days' },
  state: 'completed',
  result,
});
const SALES = call({ answer: 'Rated 4.5 of 5 stars.', rows: ROWS });
const check = (text: string, calls = [SALES]) =>
  checkAnswer({ text, question: 'Which products were left in carts in the last 30 days?', calls, sources: SOURCES });
const verdicts = (text: string, calls?: ToolCall[]) =>
  check(text, calls).map(({ text: figure, found }) => `${figure} ${found ? 'found' : 'unfound'}`);

describe('checkAnswer', () => {
  it('links a figure to its call, row and column', () => {
    expect(check('Dover Parka loses 22% of its 640 carts.')).toEqual([
      { text: '22%', start: 18, end: 21, found: true, call_id: 'sales', row: 1, column: 'abandonment_rate' },
      { text: '640', start: 29, end: 32, found: true, call_id: 'sales', row: 1, column: 'carts' },
    ]);
  });

  it.each([
    ['Aspen Boots: 25.3% of 1,234 carts', ['25.3% found', '1,234 found']],
    ['Aspen Boots: 25 percent of about 1,200 carts', ['25 percent found', '1,200 found']],
    ['Aspen Boots has over 1,200 carts', ['1,200 found']],
    ['Aspen Boots has 1.2k carts', ['1.2k found']],
    ['Aspen Boots has 1,235 carts', ['1,235 unfound']],
    ['Aspen Boots loses 22% of its carts', ['22% unfound']],
    ['Aspen Boots (25.3%), Dover Parka (22%)', ['25.3% found', '22% found']],
    ['Aspen Boots (22%), Dover Parka (25.3%)', ['22% unfound', '25.3% unfound']],
    ['25.3% of carts with Aspen Boots, 22% with Dover Parka', ['25.3% found', '22% found']],
    ['Aspen Boots leads. It has 640 carts.', ['640 unfound']],
    ['There are 1,874 carts together.', ['1,874 found']],
    ['Of 9,000 carts in all, Aspen Boots has 1,234.', ['9,000 found', '1,234 found']],
    ['The top 2 products in the last 30 days', ['2 found']],
    ['The top 2 products in the last 60 days', ['2 found', '60 unfound']],
    ['Two products stand out; three products do not.', ['Two found', 'three unfound']],
    ['It is rated 4.5 of 5 stars', ['4.5 found', '5 found']],
    ['1. Aspen Boots [1]\n2. Dover Parka [1]', []],
    ['On 2025-10-31 at 10:30 the 2nd one', []],
  ])('finds in %j %j', (text, expected) => {
    expect(verdicts(text)).toEqual(expected);
  });

  it('checks a figure against the source that the answer names', () => {
    const stock = call({ rows: [{ product: 'Aspen Boots', units: 50 }] }, 'stock', 'inventory');
    expect(verdicts('According to Inventory, Aspen Boots has 50 units.', [SALES, stock])).toEqual(['50 found']);
    expect(verdicts('According to Customer Behavior, Aspen Boots has 50 units.', [SALES, stock])).toEqual([
      '50 unfound',
    ]);
    expect(verdicts('Aspen Boots has 50 units [1].', [SALES, stock])).toEqual(['50 unfound']);
  });

  it('finds a quotation only if a single cell holds it word for word', () => {
    const reviews = call({
      rows: [{ review: 'The seams came loose. Never again.' }, { review: 'Worth every cent of 20.' }],
    });
    expect(verdicts('One wrote “The seams came loose”.', [reviews])).toEqual(['The seams came loose found']);
    expect(verdicts('One wrote “The seams … Never again”.', [reviews])).toEqual(['The seams … Never again found']);
    expect(verdicts('One wrote “The seams every cent of 20”.', [reviews])).toEqual([
      'The seams every cent of 20 unfound',
    ]);
  });

  it('uses the text of a tool that returns no rows', () => {
    const words = call('Aspen Boots leads with 25%. Dover Parka follows with 22%.');
    expect(verdicts('The rate is 25%, not 24%.', [words])).toEqual(['25% found', '24% unfound']);
  });

  it('reads any JSON that a tool returns', () => {
    const plain = call({ city: 'Berlin', weather: { degrees: 21.5 }, days: [{ day: 'Monday', rain_mm: 3 }] });
    expect(verdicts('Berlin has 21.5 degrees. Monday brings 3 mm, 9 at most.', [plain])).toEqual([
      '21.5 found',
      '3 found',
      '9 unfound',
    ]);
  });

  it('catches every corrupted answer of 200, with almost no false alarms', () => {
    const score = scoreCorruption(makeAnswerPairs(200, 42));
    expect(score.misses).toEqual([]);
    expect(score.falseAlarms).toBeLessThanOrEqual(0.02);
  });

  it('never finds a figure without results, and always points into the text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('1', '5', '%', ',', '.', ' ', '$', 'k', '[', ']', '\n', '|', '“', '”', 'a'),
        }),
        (text) => {
          expect(checkAnswer({ text, question: 'q', calls: [], sources: [] })).toEqual([]);
          for (const { start, end, text: figure } of check(text)) expect(text.slice(start, end)).toBe(figure);
        },
      ),
    );
  });
});

const dropped = (question: string, query: string, result: Json = {}) => findDropped(question, [{ query, result }]);

describe('findDropped', () => {
  it.each([
    ['What were total sales in Paris?', 'total sales', ['in Paris']],
    ['What were sales by region?', 'total sales', ['by region']],
    ['How many orders last month?', 'number of orders', ['last month']],
    ['How many orders above 500 dollars?', 'number of orders', ['above 500']],
    ['Did Acme order?', 'number of orders', ['Acme']],
  ])('finds what %j loses in %j', (question, query, expected) => {
    expect(dropped(question, query)).toEqual(expected);
  });

  it.each([
    ['What were total sales in Paris?', 'sales for the Paris store'],
    ['What did buyers spend in total?', 'total revenue of all customers'],
    ['How many orders last month?', 'orders in October 2025'],
    ['Show me the revenue for clients', 'revenue of customers'],
  ])('finds nothing lost of %j in %j', (question, query) => {
    expect(dropped(question, query)).toEqual([]);
  });

  it('counts words that occur in the results as used', () => {
    expect(dropped('What were sales by region?', 'sales', { rows: [{ region: 'North', sales: 5 }] })).toEqual([]);
  });

  it('finds nothing where no domain answered', () => {
    expect(findDropped('What were sales by region?', [])).toEqual([]);
  });
});

describe('describeDropped', () => {
  it('names one, and several', () => {
    expect(describeDropped(['in Paris'])).toBe('"in Paris" was not taken into account.');
    expect(describeDropped(['in Paris', 'by age'])).toBe('"in Paris" and "by age" were not taken into account.');
  });
});
