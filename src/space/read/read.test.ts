import { describe, expect, it } from 'vitest';
import { createModel } from '../model/model.ts';
import { DimensionFile, FilterFile, MeasureFile } from '../model/model-file.ts';
import { createReader } from './read.ts';

const table = { synonyms: [], snapshot: false, joins: [] };
const model = createModel({
  name: 'shop',
  today: 'newest',
  tables: {
    buyers: { ...table, key: 'buyer_id', label: 'buyer', synonyms: ['customer'] },
    sales: { ...table, key: 'sale_id', time: 'day', joins: ['buyers'], synonyms: ['purchase'] },
  },
  measures: {
    revenue: MeasureFile.parse({ sum: 'sales.amount', unit: 'EUR', good: 'up', synonyms: ['turnover', 'spend'] }),
    rating: MeasureFile.parse({ average: 'sales.stars', unit: 'stars', good: 'up' }),
  },
  dimensions: {
    city: DimensionFile.parse({ columns: ['buyers.city'] }),
    channel: DimensionFile.parse({ columns: ['sales.channel'] }),
  },
  filters: { late: FilterFile.parse({ columns: ['sales.is_late'], is: 1, synonyms: ['delayed'] }) },
  verified: [],
});
const facts = {
  values: new Map([
    ['buyer', ['Ann Bo', 'Cy Doe']],
    ['city', ['Oslo', 'Rome']],
    ['channel', ['Web', 'Shop', 'A']],
  ]),
  ranges: new Map([['sales', { from: '2025-01-01', to: '2025-12-31' }]]),
  months: new Set<string>(),
  today: '2025-12-31',
};
const reader = createReader([{ model, facts }], (word) => ['please', 'paris', 'weather', 'returned'].includes(word));

describe('createReader', () => {
  it.each([
    ['What is the revenue?', 'revenue, 2025-01-01 to 2025-12-31'],
    ['turnover by city, please', 'revenue by city, 2025-01-01 to 2025-12-31'],
    ['Which city has the lowest rating?', 'average rating by city, 2025-01-01 to 2025-12-31, lowest first, top 1'],
    ['How many customers spent more than 100?', 'number of buyers, revenue more than 100'],
    ['revenue in Rome in March 2025', 'revenue, city Rome, from 2025-03-01 to 2025-03-31'],
    ['delayed sales by channel', 'number of sales by channel, late, 2025-01-01 to 2025-12-31'],
    [
      'Compare revenue in May with April',
      'revenue, from 2025-05-01 to 2025-05-31, compared with 2025-04-01 to 2025-04-30',
    ],
    ['How do the cities compare on revenue?', 'revenue by city, 2025-01-01 to 2025-12-31'],
    ['What is the revenue because of late sales in Rome?', 'revenue, city Rome, late, 2025-01-01 to 2025-12-31'],
    ['top 2 buyers by sales', 'number of sales by buyer, 2025-01-01 to 2025-12-31, highest first, top 2'],
    [
      'Which channel do customers purchase most often?',
      'number of sales by channel, 2025-01-01 to 2025-12-31, highest first, top 1',
    ],
    ['What does a purchase bring in revenue?', 'revenue, 2025-01-01 to 2025-12-31'],
    ['A late purchase: what is its revenue?', 'revenue, late, 2025-01-01 to 2025-12-31'],
    ['revenue of channel A', 'revenue, channel A, 2025-01-01 to 2025-12-31'],
    ['revenue of channel a in March 2025', 'revenue, channel A, from 2025-03-01 to 2025-03-31'],
    ['revenue by month as a chart', 'revenue by month, 2025-01-01 to 2025-12-31'],
  ])('reads %j', (text, echo) => {
    expect(reader.read(text)).toMatchObject({ kind: 'answer', echo });
  });

  it('takes a default and says it', () => {
    expect(reader.read('top 2 buyers')).toMatchObject({
      echo: 'revenue by buyer, 2025-01-01 to 2025-12-31, highest first, top 2',
      notes: ['by revenue, because the question names no figure'],
    });
  });

  it('leaves out a sentence that asks nothing, says so, and keeps the values in it', () => {
    expect(reader.read("I'm at a dull meeting about Rome at ten. What is the revenue?")).toMatchObject({
      echo: 'revenue, city Rome, 2025-01-01 to 2025-12-31',
      confidence: 'medium',
      notes: [`I left out "I'm at a dull meeting about Rome at ten"`],
    });
  });

  it.each([
    ['revenue in Paris', ['Paris']],
    ['Which city has the most weather?', ['weather']],
  ])('declines %j and names the unknown words', (text, unknown) => {
    expect(reader.read(text)).toMatchObject({ kind: 'decline', unknown });
  });

  it.each([
    'What share of sales was late in March and in April?',
    'Which city has the second highest revenue?',
    'half of the revenue in Rome',
  ])('declines %j, whose operator no rule reads', (text) =>
    expect(reader.read(text)).toMatchObject({ kind: 'decline', unknown: [] }),
  );

  it('changes the last query only where the message continues it', () => {
    const { parts } = reader.read('revenue by city in March 2025');
    expect(reader.read('and in April?', { parts })).toMatchObject({
      echo: 'revenue by city, from 2025-04-01 to 2025-04-30',
    });
    expect(reader.read('What is the rating?', { parts })).toMatchObject({
      echo: 'average rating, 2025-01-01 to 2025-12-31',
    });
    expect(reader.read('And in April?')).toMatchObject({ kind: 'decline' });
  });

  it('gives an overview for a question about reasons', () => {
    expect(reader.read('Why is Rome so weak?')).toMatchObject({
      kind: 'answer',
      notes: ['the data shows figures, not reasons'],
      parts: [{ query: { measures: [{ name: 'revenue' }, { name: 'rating' }, { name: 'number of buyers' }] } }],
    });
  });

  it.each([
    ['the first one', 'revenue by buyer, buyer Cy Doe, 2025-01-01 to 2025-12-31'],
    ['the last one?', 'revenue by buyer, buyer Ann Bo, 2025-01-01 to 2025-12-31'],
    [
      'how many of them are in Oslo?',
      'number of buyers with sales, buyer Cy Doe or Ann Bo, city Oslo, 2025-01-01 to 2025-12-31',
    ],
  ])('answers %j for the things that a ranking showed', (text, echo) => {
    const { parts } = reader.read('top 2 buyers by revenue');
    const earlier = { parts, shown: { dimension: 'buyer', values: ['Cy Doe', 'Ann Bo'] } };
    expect(reader.read(text, earlier)).toMatchObject({ kind: 'answer', echo });
  });

  it('takes what a question that was not answered named', () => {
    const earlier = { parts: [], missed: ['Is the weather in Rome better than in March 2025?'] };
    expect(reader.read('How much revenue did they bring in?', earlier)).toMatchObject({
      echo: 'revenue, city Rome, from 2025-03-01 to 2025-03-31',
    });
    expect(reader.read('by channel', earlier)).toMatchObject({ kind: 'decline' });
  });

  it('counts by the conditions of a list, whose rows may not all be shown', () => {
    const { parts } = reader.read('which buyers are in Rome?');
    const earlier = { parts, shown: { dimension: 'buyer', values: ['Ann Bo'], isCut: true } };
    expect(reader.read('how many of them?', earlier)).toMatchObject({ echo: 'number of buyers, city Rome' });
  });

  it.each([
    ['and the rating in that month?', 'average rating, from 2025-07-01 to 2025-07-31'],
    ['by city in that month', 'revenue by city, from 2025-07-01 to 2025-07-31'],
    ['how did that day go?', undefined],
  ])('reads %j after the month with the highest revenue', (text, echo) => {
    const { parts } = reader.read('Which month had the highest revenue?');
    expect(reader.read(text, { parts, shownTime: '2025-07' })).toMatchObject(echo ? { echo } : { kind: 'decline' });
  });

  it('repeats the last answer in another form', () => {
    const { parts } = reader.read('revenue by month');
    for (const text of ['as a chart', 'plot that please', 'show all', 'and as a table'])
      expect(reader.read(text, { parts })).toMatchObject({ kind: 'answer', parts });
  });

  it('gives the reasons for the last answer as an overview of what it showed', () => {
    const { parts } = reader.read('Which city has the highest revenue?');
    const earlier = { parts, shown: { dimension: 'city', values: ['Rome'] } };
    expect(reader.read('and why?', earlier)).toMatchObject({
      parts: [{ query: { filters: [{ dimension: 'city', values: ['Rome'] }] } }],
    });
    expect(reader.read('Why did revenue drop in October 2025?')).toMatchObject({
      parts: [{ query: { period: { from: '2025-10-01' }, compare: { from: '2025-09-01' } } }],
    });
  });

  it('lists what the last question counted', () => {
    const { parts } = reader.read('How many customers are there?');
    expect(reader.read('which of those are in Rome?', { parts })).toMatchObject({
      echo: 'number of buyers by buyer, city Rome',
    });
  });

  describe('after "which city has the highest revenue?"', () => {
    const [part] = reader.read('Which city has the highest revenue?').parts;
    const earlier = { parts: part ? [part] : [], shown: { dimension: 'city', values: ['Rome'] } };
    it.each([
      ['Different topic: average rating by channel', 'average rating by channel, 2025-01-01 to 2025-12-31'],
      ['Thanks. What is the rating of that city?', 'average rating, city Rome, 2025-01-01 to 2025-12-31'],
      [
        'and without Oslo and Rome?',
        'revenue by city, city not Oslo or Rome, 2025-01-01 to 2025-12-31, highest first, top 1',
      ],
    ])('reads %j', (text, echo) => {
      expect(reader.read(text, earlier)).toMatchObject({ kind: 'answer', echo });
    });

    it('asks what a fragment continues, if a question in between was not answered', () => {
      expect(reader.read('and in May?', { ...earlier, missed: ['rating by weather'] })).toMatchObject({
        kind: 'decline',
        problem: 'it is not clear which question it continues; please ask it in full',
      });
    });

    it('is continued after thanks, which ask nothing', () => {
      expect(reader.read('and in May?', { ...earlier, missed: ['thanks'] })).toMatchObject({
        echo: 'revenue by city, from 2025-05-01 to 2025-05-31, highest first, top 1',
      });
    });
  });
});
