import { describe, expect, it } from 'vitest';
import { convertUnit, findQuantities } from './quantities.ts';

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
    ['an hour and a half', [[1.5, 'hour']]],
    ['six and a half hours', [[6.5, 'hour']]],
    ['half a litre', [[0.5, 'litre']]],
    ['print it twice', [[2, 'time']]],
  ])('%s', (text, found) => {
    expect(findQuantities(text).map(({ value, unit }) => [value, unit])).toEqual(found);
  });
});

describe('convertUnit', () => {
  it('converts between units that measure the same', () => {
    expect([convertUnit(2, 'hour', 'minute'), convertUnit(0.5, 'litre', 'ml'), convertUnit(2, 'km', 'minute')]).toEqual(
      [120, 500, undefined],
    );
  });
});
