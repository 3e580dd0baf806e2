import { describe, expect, it } from 'vitest';
import { formatCell } from './column-format.ts';

describe('formatCell', () => {
  it.each([
    [0.2531, 'percent', '25.3%'],
    [1, 'percent', '100%'],
    [1234567.8, 'USD', '$1,234,568'],
    [19.9, 'USD', '$19.90'],
    [-5, 'USD', '-$5'],
    [19.9, 'EUR', '€19.90'],
    [1234.5, 'JPY', '¥1,235'],
    [12.5, 'CHF', 'CHF\u00a012.50'],
    [19.9, 'money', '19.90'],
    [1234.5, 'money', '1,235'],
    [1234.567, 'number', '1,234.57'],
    [2025, 'text', '2025'],
    [1234, undefined, '1,234'],
    ['x', 'money', 'x'],
    [null, 'number', '–'],
  ] as const)('shows %j as %s like %j', (value, format, text) => {
    expect(formatCell(value, format)).toBe(text);
  });
});
