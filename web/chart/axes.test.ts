import { describe, expect, it } from 'vitest';
import { readDataResult } from '../state/data-result.ts';
import { type ChartData, namePeriod, readTimeLabel } from './chart-data.ts';
import { shapeLine } from './line-shape.ts';
import { overviewOf } from './overview.ts';
import { formatTick, valueTicks } from './value-ticks.ts';

describe('ticks of values', () => {
  it.each([
    [[159_617, 284_288], 5, false, [0, 100_000, 200_000, 300_000]],
    [[0.8932, 0.8467], 5, false, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [[-6_286, -127.52], 4, false, [-8_000, -6_000, -4_000, -2_000, 0]],
    [[-3, 8], 5, true, [-5, 0, 5, 10]],
    [[1, 2], 5, true, [0, 1, 2]],
    [[1, 2], 5, false, [0, 0.5, 1, 1.5, 2]],
    [[0, 0], 5, true, [0, 1]],
    [[], 5, false, [0, 1]],
    [[-3, 8], 1, true, [-10, 0, 10]],
    [[1e-9, 3e-9], 3, false, [0, 1e-9, 2e-9, 3e-9]],
  ])('of %j in %i steps (whole: %s) are %j', (values, most, isWhole, ticks) => {
    expect(valueTicks(values, { most, isWhole })).toEqual(ticks);
  });

  it('have the currency or the unit of the column, in few characters', () => {
    const texts = [
      formatTick(250_000, 'USD'),
      formatTick(-1_500_000, 'EUR'),
      formatTick(2_000, 'USD'),
      formatTick(0.2, 'percent'),
      formatTick(20_000, 'money'),
      formatTick(0.5),
      formatTick(12_000),
    ];
    expect(texts).toEqual(['$250K', '-€1.5M', '$2,000', '20%', '20K', '0.5', '12K']);
  });
});

describe('labels of time', () => {
  it('are read as days, months, quarters and years', () => {
    const texts = ['2025', '2025-Q3', '2025-09', '2025-09-03', '2025-13', 'Q3', '9'].map(
      (label) => readTimeLabel(label)?.text,
    );
    expect(texts).toEqual(['2025', 'Q3 2025', 'Sep 2025', '3 Sep 2025', undefined, undefined, undefined]);
  });

  it.each([
    ['2025-09-01', '2025-09-30', 'Sep 2025'],
    ['2024-02-01', '2024-02-29', 'Feb 2024'],
    ['2025-04-01', '2025-06-30', 'Q2 2025'],
    ['2025-05-01', '2025-07-31', '1 May 2025 – 31 Jul 2025'],
    ['2024-01-01', '2024-12-31', '2024'],
    ['2025-09-03', '2025-09-03', '3 Sep 2025'],
  ])('name the period from %s to %s', (from, to, name) => {
    expect(namePeriod(from, to)).toBe(name);
  });

  it('are thinned out until none touches the next, at every width', () => {
    const months = Array.from({ length: 12 }, (_, index) =>
      readTimeLabel(`2025-${String(index + 1).padStart(2, '0')}`),
    );
    const chart: ChartData = {
      kind: 'line',
      title: 'Revenue by month',
      labels: months.map((month) => month?.text ?? ''),
      places: months.map((month) => month?.at ?? 0),
      series: [{ values: months.map((_, index) => index * 10_000) }],
      format: 'USD',
    };
    for (const width of [240, 480, 700, 1200]) {
      const xs = shapeLine(chart, width, 220).labels.map(({ x }) => x);
      expect(xs.length).toBeGreaterThan(1);
      for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0)).toBeGreaterThan(50);
    }
  });
});

describe('an overview', () => {
  const revenue = { name: 'revenue', type: 'DOUBLE', format: 'USD' };
  const read = (row: Record<string, number>, columns: Record<string, string>[]) => {
    const data = readDataResult({ rows: [row], columns });
    if (!data) throw new Error('no data');
    return data;
  };

  it('has the single figures of every source in one table', () => {
    const sales = read({ revenue: 1200 }, [revenue]);
    const stock = read({ stock: 7 }, [{ name: 'stock', type: 'LONG', unit: 'units' }]);
    expect(overviewOf([{ from: 'Sales', data: sales }])).toBeUndefined();
    expect(
      overviewOf([
        { from: 'Sales', data: sales },
        { from: 'Inventory', data: stock },
      ])?.rows,
    ).toEqual([
      { figure: 'Revenue', value: '$1,200', from: 'Sales' },
      { figure: 'Stock', value: '7 units', from: 'Inventory' },
    ]);
  });

  it('puts two periods side by side', () => {
    const more = [
      { ...revenue, name: 'revenue_before' },
      { ...revenue, name: 'revenue_change' },
      { name: 'revenue_change_in_percent', type: 'DOUBLE', format: 'percent' },
    ];
    const row = { revenue: 90, revenue_before: 100, revenue_change: -10, revenue_change_in_percent: -0.1 };
    const data = read(row, [revenue, ...more]);
    const table = overviewOf([
      { from: 'Sales', data },
      { from: 'Shop', data },
    ]);
    expect(table?.columns.map(({ name }) => name)).toEqual(['figure', 'value', 'before', 'change', 'from']);
    expect(table?.rows[0]).toEqual({ figure: 'Revenue', value: '$90', before: '$100', change: '-10%', from: 'Sales' });
  });
});
