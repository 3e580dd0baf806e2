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
    [['1', 'n/a'], 'text'],
  ])('takes %j for %s', (values, type) => {
    expect(typeOf(values)).toBe(type);
  });
});
