import { describe, expect, it } from 'vitest';
import { DataQuery } from '../../schema/data-query.ts';
import { bakery } from '../question/shop-fixture.ts';
import { findDoubts } from './doubts.ts';

const { model, facts } = bakery();
const doubts = (text: string, query: object) =>
  findDoubts(text, [{ query: DataQuery.parse({ measures: [{ name: 'turnover' }], ...query }), model, facts }]);
const town = (negated: boolean) => ({ dimension: 'town', values: ['Ulm'], negated });

describe('findDoubts', () => {
  it('has none about a plain question', () =>
    expect(doubts('turnover in Ulm', { filters: [town(false)] })).toEqual([]));

  it.each([
    ['a quantity that the query does not show', 'turnover of exactly one town', {}],
    ['a figure that is not named', 'the figures for Ulm', { filters: [town(false)] }],
    ['two figures read as one', 'how much is turnover and how much is stock', {}],
    ['more negation than was said', 'turnover in Ulm', { filters: [town(true)] }],
    ['different conditions that "or" joins', 'turnover in Ulm or of returned sales', { filters: [town(false)] }],
    ['one negation behind another', 'turnover not outside Ulm', { filters: [town(true)] }],
    ['a list where a total may be meant', 'not Ulm', { filters: [town(true)], dimensions: ['town'] }],
    [
      'a part with two conditions',
      'what share of turnover is in Ulm',
      { share: 'of_whole', part: { filters: [town(false), town(false)] } },
    ],
  ])('doubts %s', (_, text, query) => expect(doubts(text, query)).toHaveLength(1));
});
