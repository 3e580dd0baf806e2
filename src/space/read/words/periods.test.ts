import { describe, expect, it } from 'vitest';
import { findPeriods } from './periods.ts';

const context = { today: '2025-06-15', oldest: '2023-01-01' };

function periodsOf(text: string): string[] {
  return findPeriods(text, context).map(
    ({ period, isDoubtful }) => `${period.from} ${period.to}${isDoubtful ? ' ?' : ''}`,
  );
}

describe('findPeriods', () => {
  it.each([
    ['on 3 august last year', '2024-08-03 2024-08-03'],
    ['in august last year', '2024-08-01 2024-08-31'],
    ['4 to 9 may', '2025-05-04 2025-05-09'],
    ['from 4-9 May 2024', '2024-05-04 2024-05-09'],
    ['since last weekend', '2025-06-07 2025-06-15 ?'],
    ["yesterday's visitors", '2025-06-14 2025-06-14'],
    ['2025 to date', '2025-01-01 2025-06-15'],
    ['this yr', '2025-01-01 2025-06-15'],
    ['from October to December 2023', '2023-10-01 2023-12-31'],
    ['from November to February 2024', '2023-11-01 2024-02-29'],
    ['1 March to 30 April 2024', '2024-03-01 2024-04-30'],
    ['in Q2', '2025-04-01 2025-06-30 ?'],
    ['in Q2 2025', '2025-04-01 2025-06-30'],
    ['in Q1', '2025-01-01 2025-03-31'],
    ['last month', '2025-05-01 2025-05-31'],
    ['the month before last', '2025-04-01 2025-04-30'],
    ['between 10 and 20 May', '2025-05-10 2025-05-20'],
    ['since the first of May', '2025-05-01 2025-06-15'],
    ['since the end of April', '2025-05-01 2025-06-15 ?'],
    ['until the end of April', '2023-01-01 2025-04-30 ?'],
    ['from February up to and including April 2025', '2025-02-01 2025-04-30'],
  ])('%s', (text, period) => expect(periodsOf(text)).toEqual([period]));

  it('counts days back from the period before them', () => {
    expect(periodsOf('last 3 days against the 3 days before')).toEqual([
      '2025-06-13 2025-06-15',
      '2025-06-10 2025-06-12',
    ]);
    expect(periodsOf('the 3 days before')).toEqual([]);
  });

  it('keeps both ends of a change apart', () => {
    expect(periodsOf('change from April 2025 to May 2025')).toEqual(['2025-04-01 2025-04-30', '2025-05-01 2025-05-31']);
  });
});
