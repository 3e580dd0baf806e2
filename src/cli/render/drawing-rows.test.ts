import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { widthOf } from '../terminal/display-width.ts';
import { drawingRows } from './drawing-rows.ts';

const colors = pc.createColors(false);

function answer(drawing: string, rows: object[], columns: object[]): TurnResult {
  const call = {
    id: 'c',
    name: 'run_query_shop',
    arguments: {},
    state: 'completed',
    result: { drawing, rows, columns },
  };
  return { tool_calls: [call] } as unknown as TurnResult; // the only part that is read
}

const MONEY = { name: 'revenue', type: 'DOUBLE', format: 'USD' };
const KINDS = [
  { kind: 'Outerwear', revenue: 800 },
  { kind: 'Bags', revenue: 200 },
];
const bars = answer('bars', KINDS, [{ name: 'kind', type: 'STRING' }, MONEY]);
const months = ['2025-01', '2025-02', '2025-03'].map((month, at) => ({ month, revenue: [100, 50, 300][at] }));
const line = answer('line', months, [{ name: 'month', type: 'STRING' }, MONEY]);

describe('drawingRows', () => {
  it('draws bars with names and figures', () => {
    expect(drawingRows(bars, { colors, width: 80, isPlain: false })).toEqual([
      `  Outerwear  ${'█'.repeat(30)}  $800`,
      `  Bags       ${'█'.repeat(7)}▌${' '.repeat(22)}  $200`,
    ]);
  });

  it('draws with # where only lines can be shown', () => {
    expect(drawingRows(bars, { colors, width: 40, isPlain: true })).toEqual([
      `  Outerwear  ${'#'.repeat(21)}  $800`,
      `  Bags       ${'#'.repeat(5)}${' '.repeat(16)}  $200`,
    ]);
  });

  it('draws a line with its ends', () => {
    expect(drawingRows(line, { colors, width: 100, isPlain: false })).toEqual([
      '  ▃▂█',
      '  first 2025-01 $100 · last 2025-03 $300 · lowest 2025-02 $50 · highest 2025-03 $300',
    ]);
  });

  it.each([10, 20, 33, 50, 80])('stays within %d columns', (width) => {
    for (const result of [bars, line])
      for (const row of drawingRows(result, { colors, width: Math.max(width, 24), isPlain: false }))
        expect(widthOf(row)).toBeLessThanOrEqual(Math.max(width, 24));
  });

  it('draws nothing for one figure, a table, or rows without a number', () => {
    const one = answer('figure', [{ revenue: 1 }], [MONEY]);
    const words = answer('bars', [{ kind: 'a' }, { kind: 'b' }], [{ name: 'kind', type: 'STRING' }]);
    expect([one, words].flatMap((result) => drawingRows(result, { colors, width: 80, isPlain: false }))).toEqual([]);
  });
});
