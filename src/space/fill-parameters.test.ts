import { describe, expect, it } from 'vitest';
import { fillParameters } from './fill-parameters.ts';
import { TrustedQuestion } from './space-file.ts';

const question = TrustedQuestion.parse({
  question: 'Which {n} products of {category} in {days} days?',
  sql: 'SELECT 1',
  answer: 'x',
  parameters: {
    n: { type: 'count', default: 10, max: 50 },
    days: { type: 'days', default: 365 },
    category: { type: 'value', column: 'products.category', synonyms: { Footwear: ['shoes'] } },
    product: { type: 'value', column: 'products.name', many: true },
  },
});
const known = new Map([
  ['products.category', ['Footwear', 'Bags', 'Tote Bags']],
  ['products.name', ['Aspen Boots', 'Oslo Belt']],
]);
const fill = (text: string) => fillParameters(text, question, known).values;

describe('fillParameters', () => {
  it.each([
    ['Show me products', { n: 10, days: 365, category: null, product: null }],
    ['top 5 shoes in the last 30 days', { n: 5, days: 30, category: 'Footwear', product: null }],
    ['What three tote bags sold in the past two weeks?', { n: 3, days: 14, category: 'Tote Bags', product: null }],
    ['the top 900 this quarter', { n: 50, days: 90, category: null, product: null }],
    [
      'stock of Oslo Belt and aspen boots',
      { n: 10, days: 365, category: null, product: '["Aspen Boots","Oslo Belt"]' },
    ],
    ['top 5 footwear last year (and the top 3 bags last month?)', { n: 3, days: 30, category: 'Bags', product: null }],
    ['customers who have not ordered in 90 days', { n: 10, days: 90, category: null, product: null }],
  ])('reads %j', (text, values) => {
    expect(fill(text)).toEqual(values);
  });

  it('tells where it found them, and what a follow-up replaced', () => {
    const text = 'shoes last year (and bags last month?)';
    const { explained, repeated } = fillParameters(text, question, known);
    const read = (parts: { start: number; end: number }[]) => parts.map(({ start, end }) => text.slice(start, end));
    expect({ explained: read(explained), repeated: read(repeated) }).toEqual({
      explained: ['last month', 'bags'],
      repeated: ['last year', 'shoes'],
    });
  });

  it('never takes a value that the data does not hold', () => {
    expect(fill("top 5'; DROP TABLE products; --").category).toBeNull();
  });

  it('says when a required value is not named', () => {
    const required = TrustedQuestion.parse({
      ...question,
      parameters: { product: { type: 'value', column: 'products.name', required: true } },
    });
    expect(fillParameters('what is the stock?', required, known).isMissing).toBe(true);
    expect(fillParameters('stock of the Oslo Belt?', required, known).isMissing).toBe(false);
  });
});
