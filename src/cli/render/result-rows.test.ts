import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { NumberCheck, TurnResult } from '../../schema/conversation/turn.ts';
import { whyText } from '../chat/why.ts';
import { widthOf } from '../terminal/display-width.ts';
import { drawingRows } from './drawing-rows.ts';
import { footnotesOf, withMarks } from './footnotes.ts';
import { resultRows } from './result-rows.ts';

const CONTENT = 'Product A is left in 25 % of carts. Only 50 units are left, of 99.';
const check = (text: string, parts: Partial<NumberCheck>): NumberCheck => {
  const start = CONTENT.indexOf(text);
  return { text, start, end: start + text.length, found: true, ...parts };
};
const call = (id: string, domain: string, rows: object[]) => ({
  id,
  name: `query_space_${domain}`,
  domain,
  arguments: {},
  state: 'completed' as const,
  result: { rows, sql_query: 'SELECT a\n  FROM b' },
});
const result = (parts: object = {}): TurnResult =>
  ({
    status: 'completed',
    finish_reason: 'completed',
    content: CONTENT,
    iterations: 2,
    tool_calls: [call('c1', 'carts', [{ abandon_rate: 0.25 }]), call('c2', 'stock', [{ units: 50 }])],
    sources: ['carts.sales', 'stock.store'],
    suggestions: ['who leaves it?', 'when is it back?'],
    confidence: 'medium',
    checks: [
      check('25 %', { call_id: 'c1', row: 0, column: 'abandon_rate' }),
      check('50', { call_id: 'c2', row: 0, column: 'units' }),
      check('99', { found: false }),
    ],
    partial_results: false,
    messages: [],
    execution_time_ms: 5,
    ...parts,
  }) as TurnResult; // a whole result, written short

const rows = (parts: object = {}) => resultRows(result(parts), { colors: pc.createColors(false), width: 140 });

describe('resultRows', () => {
  it('leaves out a reason that the answer holds already', () => {
    const error_details = [
      { domain: 'carts', reason: 'Only 50 units are left, of 99.' },
      { domain: 'stock', reason: 'No.' },
    ];
    const missing = rows({ partial_results: true, error_details }).filter((row) => row.startsWith('  missing'));
    expect(missing).toEqual(['  missing  stock: No. · 99 is not in any tool result']);
  });

  it('shows sources with their rows, the confidence with its reason, what is missing, and what to ask next', () => {
    expect(rows()).toEqual([
      '  sources  [1] carts.sales row 1   [2] stock.store row 1      confidence medium (2 of 2 answered, 2 of 3 figures checked)',
      '  missing  99 is not in any tool result',
      '  next  a  who leaves it?   b  when is it back?',
    ]);
  });

  it('shows what was not taken into account', () => {
    const reason = '"in Paris" was not taken into account.';
    expect(rows({ partial_results: true, error_details: [{ reason }] })[1]).toBe(
      '  missing  "in Paris" was not taken into account. · 99 is not in any tool result',
    );
  });

  it('shows nothing below an answer without data', () => {
    expect(rows({ sources: [], suggestions: [], confidence: undefined, checks: undefined })).toEqual([]);
  });
});

describe('withMarks', () => {
  it('puts the number of its footnote behind every figure', () => {
    const { checks = [] } = result();
    expect(withMarks(CONTENT, checks, footnotesOf(result()))).toBe(
      'Product A is left in 25 % [1] of carts. Only 50 [2] units are left, of 99 [?].',
    );
    const row = { start: 2, end: 4, found: true, call_id: 'c1' };
    const other = { start: 7, end: 8, found: false };
    const cells = [
      { text: '25', ...row },
      { text: '7', ...other },
    ];
    expect(withMarks('| 25 | 7 |', cells, footnotesOf(result()))).toBe('| 25 | 7 [?] |');
  });
});

describe('whyText', () => {
  it('leads a figure back to its call, row, column and query', () => {
    expect(whyText(result(), '25%', true)).toBe(
      '  [1] query_space_carts → row 1, abandon_rate = 0.25  ✓ found\n      SELECT a FROM b',
    );
    expect(whyText(result(), '99', true)).toContain('not found in any tool result');
    expect(whyText(result(), '7', true)).toContain('does not appear in the last answer');
  });

  it('lets no escape through', () => {
    const hostile = call('c1', 'carts', [{ abandon_rate: '\u001b[31m0.25\u202e' }]);
    const shown =
      whyText(result({ tool_calls: [hostile] }), '', true) + whyText(result({ tool_calls: [hostile] }), '25', true);
    expect(shown).not.toMatch(/\u001b|\u202e/);
  });
});

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
