import { describe, expect, it } from 'vitest';
import { convertTime, findQuantities } from './quantities.ts';

describe('findQuantities', () => {
  it.each([
    [
      '36 minutes at $1,200.50',
      [
        [36, 'minute'],
        [1200.5, ''],
      ],
    ],
    [
      'twenty-one guests and 2.5 million',
      [
        [2_500_000, ''],
        [21, 'guest'],
      ],
    ],
    ['the 18th century', [[18, 'century']]],
    ['20C', [[20, 'c']]],
  ])('%s', (text, found) => {
    expect(findQuantities(text).map(({ value, unit }) => [value, unit])).toEqual(found);
  });
});

describe('convertTime', () => {
  it('converts between units of time only', () => {
    expect([convertTime(2, 'hour', 'minute'), convertTime(2, 'mile', 'minute')]).toEqual([120, undefined]);
  });
});
