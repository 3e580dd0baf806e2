import { describe, expect, it } from 'vitest';
import { DataQuery } from '../../schema/data-query.ts';
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

  const figure = (town: string, more: object = {}) =>
    DataQuery.parse({
      measures: [{ name: 'turnover' }],
      filters: [{ dimension: 'town', values: [town], negated: false }],
      ...more,
    });

  it('knows what is meant after one figure, unless what is pointed at is replaced', () => {
    const query = figure('Ulm', { dimensions: ['flour'] });
    expect(checkContext('split that by flour', [figure('Ulm')], { isEdit: true, query })).toEqual([]);
    const replaced = { isEdit: true, query: figure('Bern') };
    expect(checkContext('how much of that is in Bern', [figure('Ulm')], replaced)).toHaveLength(1);
    expect(checkContext('and the Bern ones', [figure('Ulm')], replaced)).toEqual([]);
    expect(checkContext('same for Bern', [figure('Ulm')], replaced)).toEqual([]);
    const added = figure('Ulm', { named: [{ name: 'returned', negated: false }] });
    expect(checkContext('and the returned ones', [figure('Ulm')], { isEdit: true, query: added })).toHaveLength(1);
  });

  it('does not answer a fragment behind a question that was not answered', () => {
    const query = DataQuery.parse({ measures: [{ name: 'turnover' }] });
    const findings = (text: string) => checkContext(text, [], { isEdit: false, isLater: true, query });
    expect(findings('and the turnover').map(({ level }) => level)).toEqual(['wrong']);
    expect(findings('What is the turnover?').map(({ level }) => level)).toEqual(['open']);
  });

  it('has nothing to say about the first question', () => {
    expect(checkContext('and the month before', [], { isEdit: false })).toEqual([]);
  });
});
