import { describe, expect, it } from 'vitest';
import { DataQuery } from '../../../schema/data-query.ts';
import { bakery } from '../../question/shop-fixture.ts';
import { createPlainEnglish } from './plain-english.ts';

const view = bakery();
const plain = createPlainEnglish([view]);
const isMeant = (text: string, meant: DataQuery, base?: DataQuery) =>
  plain.isMeant({ text, parts: [{ space: 'bakery', query: meant }], base });
const query = (parts: object) => DataQuery.parse({ measures: [{ name: 'turnover' }], ...parts });
const town = (value: string, negated = false) => ({ dimension: 'town', values: [value], negated });
const days = (from: string, to: string) => ({ from, to, words: '' });
const sales = { measures: [{ name: 'number of sales' }] };
const top = (limit: number | null, direction = 'highest') => ({
  dimensions: ['town'],
  order: { by: 'turnover', direction },
  limit,
});

describe('plain questions', () => {
  it.each([
    ['What is our total turnover?', {}],
    ['turnover in Ulm', { filters: [town('Ulm')] }],
    [
      'Show me the turnover of Ulm in March 2025, please',
      { filters: [town('Ulm')], period: days('2025-03-01', '2025-03-31') },
    ],
    [
      'turnover excluding Ulm since January',
      { filters: [town('Ulm', true)], period: days('2025-01-01', '2025-06-15') },
    ],
    [
      'turnover by town and flour last month',
      { dimensions: ['town', 'flour'], period: days('2025-05-01', '2025-05-31') },
    ],
    [
      'monthly turnover of Rye breads',
      { grain: 'month', filters: [{ dimension: 'flour', values: ['Rye'], negated: false }] },
    ],
    [
      'how many returned sales were there in Bern',
      { ...sales, filters: [town('Bern')], named: [{ name: 'returned', negated: false }] },
    ],
    ['how many sales are not returned?', { ...sales, named: [{ name: 'returned', negated: true }] }],
    ['Which town has the highest turnover?', top(1)],
    ['which 2 towns have the lowest turnover', top(2, 'lowest')],
    ['Which towns made the most turnover?', top(null)],
    ['top 3 towns by turnover', top(3)],
    [
      'Which town has the worst return rate?',
      {
        measures: [{ name: 'return rate' }],
        dimensions: ['town'],
        order: { by: 'return rate', direction: 'highest' },
        limit: 1,
      },
    ],
    [
      'which towns have turnover above 5,000',
      { dimensions: ['town'], having: [{ measure: 'turnover', is: 'more', value: 5000 }] },
    ],
    [
      'compare turnover in April 2025 with March 2025',
      { period: days('2025-04-01', '2025-04-30'), compare: days('2025-03-01', '2025-03-31') },
    ],
    [
      'what share of sales in Ulm are returned?',
      { ...sales, filters: [town('Ulm')], share: 'of_whole', part: { named: [{ name: 'returned', negated: false }] } },
    ],
  ])('mean one query: %s', (text, parts) => expect(isMeant(text, query(parts))).toBe(true));

  it.each([
    ['another direction', 'Which town has the highest turnover?', top(1, 'lowest')],
    ['another value', 'turnover in Ulm', { filters: [town('Bern')] }],
    ['a dropped condition', 'turnover of Rye breads in Ulm', { filters: [town('Ulm')] }],
    ['an invented condition', 'turnover', { filters: [town('Ulm')] }],
    ['another period', 'turnover in March', { period: days('2024-03-01', '2024-03-31') }],
    ['a total for each', 'turnover by town', {}],
    ['a number for an amount', 'how much turnover do we have', sales],
  ])('do not mean %s', (_, text, parts) => expect(isMeant(text, query(parts))).toBe(false));

  it.each([
    ['a single row', 'what is the largest sale', { ...sales }],
    [
      'a limit on something else',
      'how many breads with turnover above 100',
      { measures: [{ name: 'number of breads' }] },
    ],
    ['a word that is not known', 'turnover of the loyal in Ulm', { filters: [town('Ulm')] }],
    ['an average of a total', 'average turnover', {}],
    [
      'a list of values, together or each',
      'turnover in Ulm and Bern',
      { filters: [{ dimension: 'town', values: ['Ulm', 'Bern'], negated: false }] },
    ],
    [
      'a level over several months',
      'shelf stock in Q1 2025',
      { measures: [{ name: 'shelf history' }], period: days('2025-01-01', '2025-03-31') },
    ],
  ])('are not those with %s', (_, text, parts) => expect(isMeant(text, query(parts))).toBe(false));
});

describe('plain changes of the last question', () => {
  const base = query({ filters: [town('Ulm')], period: days('2025-03-01', '2025-03-31') });
  it.each([
    ['and in Bern?', { ...base, filters: [town('Bern')] }],
    ['what about April 2025?', { ...base, period: days('2025-04-01', '2025-04-30') }],
    ['split that by flour', { ...base, dimensions: ['flour'] }],
  ])('change one thing: %s', (text, edited) => expect(isMeant(text, edited, base)).toBe(true));

  it('do not leave out the conditions of the last question', () =>
    expect(isMeant('what about April 2025?', query({ period: days('2025-04-01', '2025-04-30') }), base)).toBe(false));

  it.each([
    [
      'add a condition of another kind',
      'and Rye?',
      { ...base, filters: [...base.filters, { dimension: 'flour', values: ['Rye'], negated: false }] },
    ],
    ['split a month by month', 'by month', { ...base, grain: 'month' }],
    ['split one town by town', 'split that by town', { ...base, dimensions: ['town'] }],
    ['take the month of another year', 'and in July?', { ...base, period: days('2024-07-01', '2024-07-31') }],
  ])('do not %s', (_, text, edited) => expect(isMeant(text, DataQuery.parse(edited), base)).toBe(false));

  it('may narrow the last question', () => {
    const filters = [...base.filters, { dimension: 'flour', values: ['Rye'], negated: false }];
    expect(isMeant('only Rye', { ...base, filters }, base)).toBe(true);
  });

  it('do not change a ranking into a figure', () =>
    expect(isMeant('and Ulm?', query({ filters: [town('Ulm')] }), query(top(1)))).toBe(false));
});

describe('verified questions', () => {
  const verified = [
    {
      ask: 'What came in at Ulm on tickets over 20?',
      query: query({ filters: [town('Ulm')], numbers: [{ column: 'sales.amount', is: 'more', value: 20 }] }),
    },
  ];
  const own = createPlainEnglish([{ ...view, model: { ...view.model, verified } }]);
  const meant = (text: string, place: string, value: number) =>
    own.isMeant({
      text,
      parts: [
        {
          space: 'bakery',
          query: query({ filters: [town(place)], numbers: [{ column: 'sales.amount', is: 'more', value }] }),
        },
      ],
    });
  it('hold with other values', () => expect(meant('what came in at Bern on tickets over 35?', 'Bern', 35)).toBe(true));
  it('do not hold with other words', () =>
    expect(meant('what came in near Bern on tickets over 35?', 'Bern', 35)).toBe(false));
  it('do not hold for another query', () =>
    expect(meant('what came in at Bern on tickets over 35?', 'Bern', 20)).toBe(false));
});
