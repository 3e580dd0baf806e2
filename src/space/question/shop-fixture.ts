import type { DataFacts } from '../model/facts.ts';
import { createModel } from '../model/model.ts';
import { DimensionFile, FilterFile, MeasureFile } from '../model/model-file.ts';
import { createQuestionReader, type QuestionReader } from './read-question.ts';
import type { SpaceView } from './words/lexicon.ts';

const TABLE = { names: [], verbs: [], people: false, actors: [], short: [], light: [], snapshot: false, joins: {} };

/** A bakery with its sales: a small model, so that a test of grammar needs no files. */
export function bakery(): SpaceView {
  const model = createModel({
    name: 'bakery',
    today: 'newest',
    tables: {
      breads: { ...TABLE, key: 'bread_id', label: 'bread', names: ['bread'] },
      sales: {
        ...TABLE,
        key: 'sale_id',
        names: ['sale', 'ticket'],
        verbs: ['buy'],
        time: 'day',
        joins: { bread: 'breads.bread_id' },
      },
      shelf: { ...TABLE, key: 'bread_id', snapshot: true, joins: { bread: 'breads.bread_id' } },
      shelf_history: { ...TABLE, time: 'month' },
    },
    measures: {
      'return rate': MeasureFile.parse({ share: 'sales.is_returned', unit: 'percent', good: 'down' }),
      'shelf stock': MeasureFile.parse({
        sum: 'shelf.loaves',
        unit: 'loaves',
        over_time: 'shelf history',
        hints: ['left', 'are left'],
      }),
      'shelf history': MeasureFile.parse({ sum: 'shelf_history.loaves', unit: 'loaves', time_sum: 'last' }),
      waste: MeasureFile.parse({ sum: 'sales.thrown_away', unit: 'loaves', sign: 'minus', good: 'down' }),
      'walk-in rate': MeasureFile.parse({ share: 'sales.is_walk_in', unit: 'percent', short: ['walk-in rate'] }),
      turnover: MeasureFile.parse({ sum: 'sales.amount', unit: 'usd', good: 'up' }),
      weight: MeasureFile.parse({ average: 'breads.grams', unit: 'grams' }),
      loaves: MeasureFile.parse({ sum: 'sales.loaves', unit: 'loaves', good: 'up', names: ['loaves sold'] }),
    },
    dimensions: {
      town: DimensionFile.parse({ columns: ['sales.town'] }),
      flour: DimensionFile.parse({ columns: ['breads.flour'] }),
    },
    filters: {
      returned: FilterFile.parse({ columns: ['sales.is_returned'], is: 1, names: ['returned'] }),
      refunded: FilterFile.parse({ columns: ['sales.is_refunded'], is: 1, names: ['refunded'], within: 'returned' }),
    },
    verified: [],
  });
  const facts: DataFacts = {
    values: new Map([
      ['town', ['Ulm', 'Bern', 'Graz']],
      ['flour', ['Rye', 'Spelt']],
      ['bread', ['Baguette', 'Bagel', 'Oat Roll', 'Poppy Roll', 'Alpine Crown']],
    ]),
    ranges: new Map([
      ['sales', { from: '2024-01-01', to: '2025-06-15' }],
      ['shelf_history', { from: '2024-01-01', to: '2025-06-30' }],
    ]),
    months: new Set(),
    today: '2025-06-15',
  };
  return { model, facts };
}

export function bakeryReader(): QuestionReader {
  return createQuestionReader({ views: [bakery()], isEnglish: () => true });
}
