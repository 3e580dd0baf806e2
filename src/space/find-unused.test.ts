import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../builtin/word-vectors.ts';
import { readAskedWords } from './asked-words.ts';
import { findUnused, type UnusedPart } from './find-unused.ts';
import type { QueryRows } from './guarded-database.ts';
import { createQuestionBook } from './match-question.ts';
import { TrustedQuestion } from './space-file.ts';
import { type Vocabulary, valueKey } from './vocabulary.ts';

const vectors = loadWordVectors();
const question = TrustedQuestion.parse({
  question: 'What is the revenue by channel?',
  examples: ['How much do customers spend in each channel?'],
  parameters: {
    days: { type: 'days', default: 365 },
    segment: { type: 'value', column: 'customers.segment' },
  },
  sql: 'SELECT channel, sum(amount) AS revenue FROM orders GROUP BY channel ORDER BY revenue DESC LIMIT 5',
  answer: '{channel} leads with {revenue}.',
});
const rows: QueryRows = {
  columns: ['channel', 'revenue'],
  rows: [
    ['Store', 90],
    ['Website', 50],
  ],
  isCut: false,
};
const keyOf = (value: string) => valueKey(readAskedWords(value));
const vocabulary: Vocabulary = {
  known: new Map([['customers.segment', ['VIP', 'New']]]),
  values: new Map([
    [keyOf('VIP'), 'segment'],
    [keyOf('New'), 'segment'],
    [keyOf('Store'), 'channel'],
    [keyOf('Catalog'), 'channel'],
    [keyOf('North'), 'region'],
    [keyOf('Tote Bags'), 'category'],
  ]),
  columns: new Set(['segment', 'channel', 'region', 'category']),
  topic: new Set(['sal']),
  title: new Set(['sal']),
};

function find(text: string): UnusedPart[] {
  const [match] = createQuestionBook([question], () => vectors).rank(text, vocabulary.known);
  if (!match) throw new Error('nothing fits');
  return findUnused({ text, match, rows, vocabulary, vectors });
}
const wordsOf = (text: string) => find(text).map(({ words }) => words);

describe('findUnused', () => {
  it.each([
    'What is the revenue by channel?',
    'Could you tell me how much our shoppers are spending in each channel, please?',
    "What's the revenue of VIP customers per channel in the last 30 days?",
    'Which channel has the highest revenue?',
    'How does the revenue of channels compare?',
    'What is the revenue of the store?',
    'revenue by channel (e.g. website or phone)',
    'Show me revenue by channel last year (and last month?)',
  ])('leaves nothing of %j', (text) => {
    expect(find(text)).toEqual([]);
  });

  it.each([
    ['What is the revenue by channel in Paris?', ['Paris']],
    ['What is the revenue by channel and region?', ['region']],
    ['What is the revenue by channel for organic food?', ['organic food']],
    ['What is the revenue by channel in March 2024?', ['March 2024']],
    ['What is the revenue by channel over 500 dollars?', ['500 dollars']],
    ['What is the weekly revenue by channel?', ['weekly']],
    ['Which channel has the lowest revenue?', ['lowest']],
    ['Which channel has no revenue?', ['no']],
    ['How has the revenue of each channel grown?', ['grown']],
    ['What is the revenue by channel without VIP customers?', ['without VIP']],
    ['What is the revenue by channel compared with last year?', ['last year']],
    ['What was the revenue by channel two years ago?', ['two years']],
    ['What is the revenue of VIP and new customers by channel?', ['new']],
    ['Revenue by channel this month and last month?', ['month']],
  ])('of %j leaves %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('names the column of a value that the data holds', () => {
    expect(find('What is the revenue by channel in the North?')).toEqual([{ words: 'North', column: 'region' }]);
    expect(find('What is the revenue of tote bags by channel?')).toEqual([{ words: 'tote bags', column: 'category' }]);
  });

  it('counts a value as shown only when the result has a row of it', () => {
    expect(find('What is the revenue of the catalog?')).toEqual([{ words: 'catalog', column: 'channel' }]);
  });
});
