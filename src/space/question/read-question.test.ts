import { describe, expect, it } from 'vitest';
import { writeEcho } from '../guard/echo.ts';
import { bakery, bakeryReader } from './shop-fixture.ts';

const reader = bakeryReader();

/** The echo of the best reading; else the words that are named as unknown, or the problems. */
function read(text: string): string {
  const { candidates, unknown, nearest } = reader.read(text);
  if (unknown.length > 0) return `unknown: ${unknown.join(', ')}`;
  const [best] = candidates;
  if (!best) return `problem: ${nearest?.problems.join('; ')}`;
  return writeEcho(best.query, bakery()).replace(', all dates, 2024-01-01 to 2025-06-15', '');
}

describe('a question', () => {
  it.each([
    ['turnover in Ulm only', 'total turnover, town Ulm'],
    ["what's the turnover if you only look at Rye?", 'total turnover, flour Rye'],
    ['only the turnover', 'unknown: only'],
    ['Break the turnover down by town.', 'total turnover, by town'],
    ['can you split turnover up by flour', 'total turnover, by flour'],
    ['break the turnover', 'unknown: break'],
    ['turnover by town and flour', 'total turnover, by town and flour'],
    ['turnover by month and bread', 'total turnover, by month and bread'],
    [
      'How did the turnover develop week by week in May 2025?',
      'total turnover, by week, from 2025-05-01 to 2025-05-31',
    ],
    ['How did the turnover evolve?', 'total turnover, by month'],
    ['how is the weather', 'unknown: weather'],
    [
      'Compare the turnover in April 2025 with the turnover in May 2025.',
      'total turnover, from 2025-04-01 to 2025-04-30, compared with from 2025-05-01 to 2025-05-31',
    ],
    [
      'turnover in April 2025, and how was it in May 2025?',
      'total turnover, from 2025-05-01 to 2025-05-31, compared with from 2025-04-01 to 2025-04-30',
    ],
    ['Leave out Ulm, what is the turnover then?', 'total turnover, town not Ulm'],
    ['turnover not counting flour Rye', 'total turnover, flour not Rye'],
    ['turnover for everything other than Rye', 'total turnover, flour not Rye'],
    ['Rye % of total turnover', 'share of total turnover with flour Rye'],
    ['How big a slice of all our turnover is Ulm, in percent?', 'share of total turnover with town Ulm'],
    ['How is the turnover divided among the towns, in percent?', 'total turnover and its share of all, by town'],
    ['towns turnover > 500', 'total turnover, by town, turnover more than 500'],
    ['towns with turnover >= 2000', 'total turnover, by town, turnover at least 2000'],
    ['how many breads have a turnover of at least -5?', 'number of breads, turnover at least -5'],
    ['breads with a weight under 400, count', 'number of breads, grams less than 400'],
    ['what was our worst month, the one with the lowest turnover?', 'total turnover, by month, lowest first, top 1'],
    ["who's on top, I mean which town has the biggest turnover?", 'total turnover, by town, highest first, top 1'],
    ['and the one town with the smallest turnover?', 'total turnover, by town, lowest first, top 1'],
    ['top 2 towns in terms of turnover', 'total turnover, by town, highest first, top 2'],
    ['turnover by town, smallest first', 'total turnover, by town, lowest first'],
    ['waste per town from best to worst', 'total waste, by town, lowest first'],
    ['top 2 towns by turnover, lowest first', 'problem: the order of the rows is not the one of the ranking'],
    ['turnover, highest first', 'problem: one figure has no order'],
    ['turnover of rolls', 'total turnover, bread Oat Roll or Poppy Roll'],
    ['turnover of the Alpine', 'total turnover, bread Alpine Crown'],
    ['turnover without Ulm and Bern for Rye', 'total turnover, town not Ulm or Bern, flour Rye'],
    ['turnover by bread flour', 'total turnover, by flour'],
    [
      'within each town, the two breads with the most turnover',
      'total turnover, by town and bread, highest first, top 2 in each town',
    ],
    ['combined turnover of Ulm and Bern', 'total turnover, town Ulm or Bern'],
    ['which single town has the highest turnover', 'total turnover, by town, highest first, top 1'],
    ['a single turnover', 'unknown: single'],
    ['turnover the other way round', 'unknown: the other way round'],
    [
      'the three breads with the highest turnover within each town',
      'total turnover, by town and bread, highest first, top 3 in each town',
    ],
    ['turnover that isnt from Ulm', 'total turnover, town not Ulm'],
    ['avg weight of breads', 'average weight'],
    ['Which town had more turnover, Ulm or Bern?', 'total turnover, by town, town Ulm or Bern'],
    ['How much more turnover has Ulm than Bern?', 'unknown: more'],
    ['Which towns have more turnover?', 'unknown: more'],
    ['Which months had a turnover of more than 500?', 'total turnover, by month, turnover more than 500'],
    ['turnover in each of the last 3 months', 'total turnover, by month, from 2025-03-01 to 2025-05-31'],
    [
      'In which of the last 3 months was turnover lowest?',
      'total turnover, by month, from 2025-03-01 to 2025-05-31, lowest first, top 1',
    ],
    [
      'How many breads have between 5 and 8 tickets?',
      'number of breads, number of sales at least 5, number of sales at most 8',
    ],
    ['How many breads have more than one sale?', 'number of breads, number of sales more than 1'],
    ['What share of the tickets in Ulm are returned?', 'share of sales with returned, town Ulm'],
    ['What share of the returned tickets are in Ulm?', 'share of sales with town Ulm, returned'],
    ['Of the turnover in Ulm, what part came from Rye?', 'share of total turnover with flour Rye, town Ulm'],
    ['turnover of all towns but Ulm', 'total turnover, town not Ulm'],
    ['How many tickets in Ulm and how many in Bern?', 'number of sales, by town, town Ulm or Bern'],
    ['turnover by town, starting with the lowest', 'total turnover, by town, lowest first'],
    [
      'Excluding Rye, which flour has the highest turnover?',
      'total turnover, by flour, flour not Rye, highest first, top 1',
    ],
    ['How many tickets does a bread have on average?', 'number of sales divided by breads with sales'],
    ['turnover of breads made of Rye', 'total turnover, flour Rye'],
    ['How many Bagel are on order?', 'unknown: on order'],
    ['turnover back in May 2025', 'total turnover, from 2025-05-01 to 2025-05-31'],
    ['Which town is most common?', 'number of sales, by town, highest first, top 1'],
    ['turnover vs waste by town', 'total turnover and total waste, by town'],
  ])('%s', (text, meaning) => {
    expect(read(text)).toBe(meaning);
  });

  it('leaves a choice open where a word points back in the same sentence', () => {
    const [best] = reader.read('turnover in April 2025, and how was it in May 2025?').candidates;
    expect(best?.assumptions).toContain('"it" points back in the same sentence');
  });

  it.each([
    ['turnover in Ulm', 'and Bern?', 'total turnover, town Bern'],
    ['turnover by town', 'just the highest one', 'total turnover, by town, highest first, top 1'],
    ['turnover by town', 'without Ulm', 'total turnover, by town, town not Ulm'],
    ['turnover in Ulm', 'by flour instead of town', 'total turnover, by flour'],
    ['turnover in May 2025', 'Rye only', 'total turnover, flour Rye, from 2025-05-01 to 2025-05-31'],
    ['turnover by town', 'the other way round', 'total turnover, by town, lowest first'],
    ['which town has the highest turnover?', 'in reverse order', 'total turnover, by town, lowest first, top 1'],
    ['turnover in May 2025', 'loaves sold instead', 'total loaves, from 2025-05-01 to 2025-05-31'],
    ['turnover of Bagel', 'how many are left', 'total shelf stock, bread Bagel, now'],
    ['turnover in Q1 2025', 'and the quarter before?', 'total turnover, from 2024-10-01 to 2024-12-31'],
  ])('%s, then %s', (first, then, meaning) => {
    const [before] = reader.read(first).candidates;
    const [best] = reader.read(then, { parts: before?.parts ?? [], assumptions: [] }).candidates;
    const echo = best ? writeEcho(best.query, bakery()) : 'nothing';
    expect(echo.replace(', all dates, 2024-01-01 to 2025-06-15', '')).toBe(meaning);
  });

  it('has two rankings with a query each', () => {
    const [best] = reader.read('Which town has the highest turnover and which has the lowest?').candidates;
    expect(best?.parts.map(({ query }) => query.order?.direction)).toEqual(['highest', 'lowest']);
  });

  it('compares with the period before the one that it names', () => {
    expect(read('turnover in May 2025 compared with the previous month')).toBe(
      'total turnover, from 2025-05-01 to 2025-05-31, compared with from 2025-04-01 to 2025-04-30',
    );
  });
});
