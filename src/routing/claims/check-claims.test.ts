import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { DataVocabulary } from '../../schema/data-query.ts';
import type { JsonObject } from '../../schema/json.ts';
import { checkAnswer } from '../check/check-answer.ts';
import { createClaimChecker } from './check-claims.ts';

const measure = (name: string, unit: string, more: Partial<DataVocabulary['measures'][number]> = {}) => ({
  name,
  words: [name],
  unit,
  rows: undefined,
  filters: [],
  isAverage: false,
  ...more,
});
const VOCABULARY: DataVocabulary = {
  measures: [
    measure('revenue', 'USD', { words: ['revenue', 'sales'], good: 'up' }),
    measure('units sold', 'units'),
    measure('rating', 'stars', { isAverage: true, good: 'up' }),
    measure('complaints', 'reviews', { good: 'down' }),
    measure('number of orders', 'orders', { words: ['number of orders', 'orders'] }),
  ],
  values: ['Shoes', 'Coats', 'Tops'].map((value) => ({ dimension: 'kind', value, words: [value] })),
  filters: [{ name: 'churned', words: ['churned', 'lost'], opposite: ['retained'] }],
  dimensions: [{ name: 'kind', words: ['kind', 'category'] }],
  ranges: [{ from: '2025-01-01', to: '2025-12-31' }],
  today: ['2025-12-31'],
};
const claims = createClaimChecker(VOCABULARY);

function wrongWords(text: string, query: JsonObject, rows: JsonObject[], whole = text): string[] {
  const result = { data_query: { measures: [{ name: 'revenue' }], ...query }, rows };
  const call: ToolCall = { id: 'c', name: 'run_query_shop', arguments: {}, state: 'completed', result };
  const checks = checkAnswer({ text, whole, question: 'q', calls: [call], sources: [], claims });
  return checks.filter(({ found }) => !found).map(({ text: words, reason }) => `${words}: ${reason ?? 'not found'}`);
}

const SHOES = { filters: [{ dimension: 'kind', values: ['Shoes'], negated: false }] };
const OCTOBER = { period: { from: '2025-10-01', to: '2025-10-31', words: 'in October 2025' } };
const KINDS = [
  { kind: 'Shoes', revenue: 500 },
  { kind: 'Coats', revenue: 300 },
  { kind: 'Tops', revenue: 100 },
];
const BY_KIND = { dimensions: ['kind'] };

describe('createClaimChecker', () => {
  it.each<[string, string, JsonObject, JsonObject[], string[]]>([
    ['another measure', 'Units sold were 500.', {}, [{ revenue: 500 }], ['Units sold: the query computed revenue']],
    [
      'another unit',
      'Sales came to 500 units sold.',
      {},
      [{ revenue: 500 }],
      ['units sold: the query computed revenue'],
    ],
    ['another currency', 'Revenue: €500.', {}, [{ revenue: 500 }], ['€500: the query computed revenue']],
    [
      'an average of a sum',
      'The average revenue is $500.',
      {},
      [{ revenue: 500 }],
      ['average revenue: the query computed a total of revenue'],
    ],
    [
      'the other end',
      'Shoes have the lowest revenue, $500.',
      BY_KIND,
      KINDS,
      ['lowest: another row has the lowest revenue'],
    ],
    ['less for more', 'Shoes made $500, less than Coats.', BY_KIND, KINDS, ['less than: the rows do not show less']],
    [
      'another value',
      'Coats made $500.',
      SHOES,
      [{ revenue: 500 }],
      ['Coats: the query counted only kind Shoes', '$500: the query counted only kind Shoes'],
    ],
    [
      'a part as the whole',
      'Revenue was $500.',
      SHOES,
      [{ revenue: 500 }],
      ['$500: the query counted only kind Shoes'],
    ],
    [
      'the opposite condition',
      'Retained customers: $500 revenue.',
      { named: [{ name: 'churned', negated: false }] },
      [{ revenue: 500 }],
      ['Retained: the query counted only churned'],
    ],
    [
      'another month',
      'Revenue in September 2025 was $500.',
      OCTOBER,
      [{ revenue: 500 }],
      ['September 2025: the query covers 2025-10-01 to 2025-10-31'],
    ],
    ['no month', 'Revenue was $500.', OCTOBER, [{ revenue: 500 }], ['$500: the query covers 2025-10-01 to 2025-10-31']],
    [
      'a change that nothing shows',
      'Revenue rose to $500.',
      {},
      [{ revenue: 500 }],
      ['rose: the query compared no periods'],
    ],
  ])('finds %s', (_, text, query, rows, expected) => {
    expect(wrongWords(text, query, rows)).toEqual(expected);
  });

  it.each<[string, JsonObject, JsonObject[]]>([
    ['Shoes lead with $500 of sales; Tops have the least, $100.', BY_KIND, KINDS],
    ['In October 2025, shoes made $500.', { ...SHOES, ...OCTOBER }, [{ revenue: 500 }]],
    ['$500.', { ...SHOES, ...OCTOBER }, [{ revenue: 500 }]],
    ['Shoes made $500. I did not look at units sold. Would you like the rating?', SHOES, [{ revenue: 500 }]],
  ])('finds nothing wrong in %j', (text, query, rows) => {
    expect(wrongWords(text, query, rows)).toEqual([]);
  });

  it('counts the line that says what was computed as said', () => {
    const reading = 'total revenue, kind Shoes, from 2025-10-01 to 2025-10-31.';
    const text = `${' '.repeat(reading.length)}\n\nRevenue: $500`;
    expect(wrongWords(text, { ...SHOES, ...OCTOBER }, [{ revenue: 500 }], `${reading}\n\nRevenue: $500`)).toEqual([]);
  });

  it('takes the lowest for the best of a measure of which less is better', () => {
    const rows = [
      { kind: 'Shoes', complaints: 9 },
      { kind: 'Tops', complaints: 2 },
    ];
    const query = { measures: [{ name: 'complaints' }], dimensions: ['kind'] };
    expect(wrongWords('Tops is best with 2 complaints.', query, rows)).toEqual([]);
    expect(wrongWords('Shoes is best with 9 complaints.', query, rows)).toEqual([
      'best: another row has the lowest complaints',
    ]);
  });

  it('follows a change over time and between two periods', () => {
    const months = [
      { month: '2025-09', revenue: 500 },
      { month: '2025-10', revenue: 300 },
    ];
    expect(wrongWords('Revenue fell from $500 in September to $300 in October.', { grain: 'month' }, months)).toEqual(
      [],
    );
    expect(wrongWords('Revenue rose to $300 in October 2025.', { grain: 'month' }, months)).toEqual([
      'rose: revenue went down',
    ]);
    expect(wrongWords('October 2025 made $500.', { grain: 'month' }, months)).toEqual(['$500: not found']);
    const compared = { ...OCTOBER, compare: { from: '2025-09-01', to: '2025-09-30', words: 'September 2025' } };
    const row = [{ revenue: 300, revenue_before: 500, revenue_change: -200 }];
    expect(wrongWords('In October 2025 revenue was $300, up from $500 in September.', compared, row)).toEqual([
      'up from: revenue went down',
    ]);
  });
});
