import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { NumberCheck, TurnResult } from '../../schema/conversation/turn.ts';
import { whyText } from '../chat/why.ts';
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
