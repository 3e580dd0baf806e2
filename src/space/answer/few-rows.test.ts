import { describe, expect, it } from 'vitest';
import { DataQuery } from '../../schema/data-query.ts';
import { createModel } from '../model/model.ts';
import { MeasureFile } from '../model/model-file.ts';
import { fewRowsOf } from './describe-result.ts';

const TABLE = { synonyms: [], snapshot: false, joins: [] };
const model = createModel({
  name: 'shop',
  today: 'newest',
  tables: { reviews: { ...TABLE, key: 'review_id' } },
  measures: { rating: MeasureFile.parse({ average: 'reviews.rating', unit: 'stars', min_rows: 10 }) },
  dimensions: {},
  filters: {},
  verified: [],
});
const ranking = DataQuery.parse({
  measures: [{ name: 'rating' }],
  order: { by: 'rating', direction: 'lowest' },
  limit: 2,
});
const rowsOf = (...counts: number[]) => ({
  columns: ['product', 'rating', 'reviews'],
  rows: counts.map((count) => ['Boot', 2, count]),
  isCut: false,
});

describe('fewRowsOf', () => {
  it('finds the smallest group that a ranking shows', () => {
    expect(fewRowsOf({ query: ranking, model, rows: rowsOf(12, 3) })).toEqual({ count: 3, nouns: 'reviews' });
  });

  it('finds none where every group has enough rows, or where nothing is ranked', () => {
    expect(fewRowsOf({ query: ranking, model, rows: rowsOf(12, 10) })).toBeUndefined();
    expect(fewRowsOf({ query: { ...ranking, limit: null }, model, rows: rowsOf(3) })).toBeUndefined();
  });
});
