import { describe, expect, it } from 'vitest';
import type { Json } from '../api/shapes.ts';
import { readDataResult } from '../state/data-result.ts';
import { chartOf } from './chart-data.ts';
import { describeChart } from './describe-chart.ts';

interface Column {
  name: string;
  type: string;
  format?: string;
  unit?: string;
}

function dataOf(rows: readonly Record<string, Json>[], columns: readonly Column[], more: Record<string, Json> = {}) {
  const data = readDataResult({ rows: [...rows], columns: columns.map((column) => ({ ...column })), ...more });
  if (!data) throw new Error('no data');
  return data;
}

const PRODUCT = { name: 'product', type: 'STRING' };
const MONTH = { name: 'month', type: 'STRING' };
const CARTS = { name: 'carts', type: 'LONG' };
const RATE = { name: 'rate', type: 'DOUBLE', format: 'percent' };
const BEFORE = { name: 'carts_before', type: 'LONG' };
const CHANGE = { name: 'carts_change', type: 'LONG' };
const PERIODS = {
  period: { from: '2025-10-01', to: '2025-10-31', words: 'October' },
  compare: { from: '2025-09-01', to: '2025-09-30', words: 'September' },
};

describe('the type of a chart', () => {
  it('is the one that the tool names', () => {
    const rows = [
      { product: '2026-W1', carts: 1 },
      { product: '2026-W2', carts: 2 },
    ];
    const drawn = (drawing: string) => chartOf(dataOf(rows, [PRODUCT, CARTS], { drawing }))?.kind;
    const names = ['line', 'bars', 'table', 'figure', 'pie'];
    expect(names.map(drawn)).toEqual(['line', 'bars', undefined, undefined, 'bars']);
  });

  it.each(['2026', '2026-Q3', '2026-07', '2026-07-31'])('is a line for labels such as %s', (label) => {
    const rows = [
      { month: label, carts: 1 },
      { month: label.replace('2026', '2027'), carts: 2 },
    ];
    expect(chartOf(dataOf(rows, [MONTH, CARTS]))?.kind).toBe('line');
  });

  it('is none for one row, for words only, and for several groupings', () => {
    const twice = [
      { product: 'a', carts: 1 },
      { product: 'a', carts: 2 },
    ];
    expect(chartOf(dataOf([{ product: 'a', carts: 1 }], [PRODUCT, CARTS]))).toBeUndefined();
    expect(chartOf(dataOf([{ product: 'a' }, { product: 'b' }], [PRODUCT]))).toBeUndefined();
    expect(chartOf(dataOf(twice, [PRODUCT, CARTS]))).toBeUndefined();
    expect(chartOf(dataOf([{ carts: 1 }], [CARTS], { drawing: 'figure' }))).toBeUndefined();
  });
});

describe('the values of a chart', () => {
  it('are those of the column that the rows are ordered by', () => {
    const rows = [
      { product: 'Cedar', carts: 103, rate: 0.8932 },
      { product: 'Oslo', carts: 150, rate: 0.8467 },
    ];
    const chart = chartOf(dataOf(rows, [PRODUCT, CARTS, RATE]));
    expect(chart).toEqual({
      kind: 'bars',
      title: 'Rate by product',
      labels: ['Cedar', 'Oslo'],
      places: [0, 1],
      series: [{ values: [0.8932, 0.8467] }],
      format: 'percent',
    });
    expect(chart && describeChart(chart)).toBe('Rate by product: Cedar 89.3%, Oslo 84.7%');
  });

  it('are those of the measure that the query orders by', () => {
    const rows = [
      { product: 'a', carts: 9, rate: 0.1 },
      { product: 'b', carts: 8, rate: 0.2 },
    ];
    const more = { drawing: 'bars', data_query: { order: { by: 'rate', direction: 'lowest' } } };
    expect(chartOf(dataOf(rows, [PRODUCT, CARTS, RATE], more))?.title).toBe('Rate by product');
  });

  it('keep gaps in time, and the unit in the title', () => {
    const rows = [
      { month: '2026-01', carts: 1 },
      { month: '2026-02', carts: null },
      { month: '2026-04', carts: 3 },
    ];
    const chart = chartOf(dataOf(rows, [MONTH, { ...CARTS, unit: 'carts' }]));
    expect(chart?.title).toBe('Carts by month (carts)');
    expect(chart?.series).toEqual([{ values: [1, undefined, 3] }]);
    expect(chart?.labels).toEqual(['Jan 2026', 'Feb 2026', 'Apr 2026']);
    expect(chart?.places).toEqual([Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 3)]);
  });

  it('of two periods are two series for groups and two bars for one measure, the earlier first', () => {
    const row = { product: 'a', carts: 5, carts_before: 7, carts_change: -2 };
    const groups = dataOf([row, { ...row, product: 'b' }], [PRODUCT, CARTS, BEFORE, CHANGE], {
      drawing: 'bars',
      data_query: PERIODS,
    });
    expect(chartOf(groups)?.series).toEqual([
      { name: 'Sep 2025', values: [7, 7] },
      { name: 'Oct 2025', values: [5, 5] },
    ]);
    const { product: _, ...figures } = row;
    const single = dataOf([figures], [CARTS, BEFORE, CHANGE], { drawing: 'figure', data_query: PERIODS });
    expect(chartOf(single)).toMatchObject({
      kind: 'bars',
      labels: ['Sep 2025', 'Oct 2025'],
      series: [{ values: [7, 5] }],
    });
  });
});

it('describes a long chart by its ends and extremes', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ product: `p${index}`, carts: (index * 7) % 40 }));
  const chart = chartOf(dataOf(rows, [PRODUCT, CARTS]));
  expect(chart && describeChart(chart)).toBe('Carts by product: 40 points, p0 0, p39 33, lowest p0 0, highest p17 39');
});
