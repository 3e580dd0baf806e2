import { describe, expect, it } from 'vitest';
import type { DataQuery } from '../../schema/data-query.ts';
import { checkContext } from './context.ts';

/** Only the parts that the guard reads. */
const last = { period: { from: '2025-07-01', to: '2025-09-30', words: 'Q3' }, dimensions: [], filters: [] };
const queries = [last as unknown as DataQuery];

describe('checkContext', () => {
  it.each(['And in the quarter before?', 'and one month later', 'the previous quarter', 'and before that?'])(
    'is not sure of the period of %j',
    (text) => expect(checkContext(text, queries, { isEdit: true })).toHaveLength(1),
  );

  it('is not sure of a fragment that drops the conditions of the last question', () => {
    expect(checkContext('As conversion rates.', queries, { isEdit: false })).toHaveLength(1);
    expect(checkContext('As conversion rates.', queries, { isEdit: true })).toEqual([]);
    expect(checkContext('What is the conversion rate?', queries, { isEdit: false })).toEqual([]);
  });

  it.each(['I mean the returns', 'no, I was asking about carts', 'Sorry, orders'])(
    'is not sure of the correction %j',
    (text) => expect(checkContext(text, [], { isEdit: false })).toHaveLength(1),
  );

  it('has nothing to say about the first question', () => {
    expect(checkContext('and the month before', [], { isEdit: false })).toEqual([]);
  });
});
