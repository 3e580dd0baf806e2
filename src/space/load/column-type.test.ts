import { describe, expect, it } from 'vitest';
import { createTypeWatch } from './column-type.ts';

function typeOf(values: string[]) {
  const watch = createTypeWatch();
  for (const value of values) watch.see(value);
  return watch.type();
}

describe('createTypeWatch', () => {
  it.each([
    [['1', '-20', '', '0'], 'integer'],
    [['1', '2.5', '.5', '1e3'], 'real'],
    [['01234', '5'], 'text'],
    [['12345678901234567890'], 'text'],
    [['2025-01-31'], 'text'],
    [['', ''], 'text'],
    [['1', 'n/a', ' 2 ', '-'], 'integer'],
    [['n/a', 'None'], 'text'],
    [['1', 'many'], 'text'],
  ])('takes %j for %s', (values, type) => {
    expect(typeOf(values)).toBe(type);
  });

  it.each([
    [[...'123456789', '1,234'], { value: '1,234', count: 1, total: 10 }],
    [[...'12345678', 'A1', 'B2'], undefined],
    [[...'123456789', '01234'], undefined],
    [[...'123456789', 'n/a'], undefined],
  ])('finds the values that make a text column of numbers: %j', (values, stray) => {
    const watch = createTypeWatch();
    for (const value of values) watch.see(value);
    expect(watch.stray()).toEqual(stray);
  });
});
