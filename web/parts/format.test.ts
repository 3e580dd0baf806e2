import { describe, expect, it } from 'vitest';
import { formatCell } from '../../src/schema/column-format.ts';
import { cleanName, formatName, formatValue } from './format.ts';

it('formats every kind of value like the answers of the server', () => {
  const values = [null, undefined, 0, -0.5, 0.8932, 12.345, 999.994, 1000, 1234.5, -1234.5, 'x', true, [1], { a: 1 }];
  const formats = ['percent', 'money', 'USD', 'EUR', 'JPY', 'CHF', 'number', 'text', undefined] as const;
  for (const format of formats) {
    expect(values.map((value) => formatValue(value, format))).toEqual(values.map((value) => formatCell(value, format)));
  }
});

it('names columns in words', () => {
  expect(formatName('abandonment_rate')).toBe('Abandonment rate');
});

describe('cleanName', () => {
  it('removes marks that reorder or hide text, and cuts long names', () => {
    expect(cleanName('invoice\u202Egnp.exe\u200b')).toBe('invoicegnp.exe');
    expect(cleanName(' a\nb ')).toBe('ab');
    expect(cleanName('x'.repeat(300))).toHaveLength(200);
  });
});
