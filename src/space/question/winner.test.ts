import { describe, expect, it } from 'vitest';
import { writeEcho } from '../guard/echo.ts';
import type { Earlier } from './earlier.ts';
import { bakery, bakeryReader } from './shop-fixture.ts';

const reader = bakeryReader();

function readAfter(first: string, then: string, shown: Partial<Earlier>): string {
  const [before] = reader.read(first).candidates;
  const [best] = reader.read(then, { parts: before?.parts ?? [], assumptions: [], ...shown }).candidates;
  return best ? writeEcho(best.query, bakery()).replace(', all dates, 2024-01-01 to 2025-06-15', '') : 'nothing';
}

describe('a message after a ranking that found one thing', () => {
  const town = { shown: { dimension: 'town', values: ['Ulm'] } };
  const month = { shownTime: '2025-03' };

  it.each([
    ['show it by flour', town, 'total turnover, by flour, town Ulm'],
    ['how many tickets does it have?', town, 'number of sales, town Ulm'],
    ['show that by flour', { shown: { dimension: 'town', values: ['Ulm', 'Bern'] } }, 'total turnover, by flour'],
    ['and the lowest?', town, 'total turnover, by town, lowest first, top 1'],
  ])('%s', (then, shown, meaning) => {
    expect(readAfter('which town has the highest turnover?', then, shown)).toBe(meaning);
  });

  it('points at a month', () => {
    const meaning = 'total turnover, by flour, from 2025-03-01 to 2025-03-31';
    expect(readAfter('which month had the highest turnover?', 'split that month by flour', month)).toBe(meaning);
  });

  it('keeps the conditions of the last question if it has none and is short', () => {
    expect(readAfter('turnover in Ulm in May 2025', 'how many tickets?', {})).toBe(
      'number of sales, town Ulm, from 2025-05-01 to 2025-05-31',
    );
  });
});
