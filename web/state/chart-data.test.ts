import { describe, expect, it } from 'vitest';
import { chartOf } from './chart-data.ts';
import { readDataResult } from './data-result.ts';

function dataOf(
  rows: readonly Record<string, string | number>[],
  columns: { name: string; type: string; format?: string }[],
) {
  const data = readDataResult({ rows: [...rows], columns });
  if (!data) throw new Error('no data');
  return data;
}

const PRODUCT = { name: 'product', type: 'STRING' };
const CARTS = { name: 'carts', type: 'LONG' };
const RATE = { name: 'abandonment_rate', type: 'DOUBLE', format: 'percent' };

describe('chartOf', () => {
  it('draws as the tool says', () => {
    const rows = [
      { quarter: '2026-Q1', carts: 1 },
      { quarter: '2026-Q2', carts: 2 },
    ];
    const columns = [{ name: 'quarter', type: 'STRING' }, CARTS];
    const drawn = (drawing: string) => chartOf(readDataResult({ rows, columns, drawing }) ?? dataOf([], []))?.kind;
    expect(['line', 'bars', 'table', 'figure', 'pie'].map(drawn)).toEqual([
      'line',
      'bars',
      undefined,
      undefined,
      'bars',
    ]);
  });

  it('draws the column that the rows are ordered by', () => {
    const rows = [
      { product: 'Cedar', carts: 103, abandonment_rate: 0.8932 },
      { product: 'Oslo', carts: 150, abandonment_rate: 0.8467 },
    ];
    expect(chartOf(dataOf(rows, [PRODUCT, CARTS, RATE]))).toEqual({
      kind: 'bars',
      title: 'Abandonment rate by product',
      points: [
        { label: 'Cedar', value: 0.8932, text: '89.3%' },
        { label: 'Oslo', value: 0.8467, text: '84.7%' },
      ],
      full: 1,
    });
  });

  it('draws a line over time', () => {
    const rows = [
      { month: '2026-01', carts: 1 },
      { month: '2026-02', carts: 2 },
    ];
    expect(chartOf(dataOf(rows, [{ name: 'month', type: 'STRING' }, CARTS]))?.kind).toBe('line');
  });

  it('draws nothing for one row, for words only, or for more bars than can be read', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ product: `p${index}`, carts: index }));
    expect(chartOf(dataOf([{ product: 'a', carts: 1 }], [PRODUCT, CARTS]))).toBeUndefined();
    expect(chartOf(dataOf([{ product: 'a' }, { product: 'b' }], [PRODUCT]))).toBeUndefined();
    expect(chartOf(dataOf(many, [PRODUCT, CARTS]))).toBeUndefined();
  });
});
