import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { NumberCheck, TurnResult } from '../../schema/conversation/turn.ts';
import { whyText } from './why.ts';

const CONTENT = 'Sales: 795, 295, 1,200 and 25% (again 25%).';
const rows = Array.from({ length: 40 }, (_, index) => ({ n: index, share: 25 }));

const check = (text: string, row: number): NumberCheck => {
  const start = CONTENT.indexOf(text);
  return { text, start, end: start + text.length, found: true, call_id: 'c1', row, column: 'share' };
};

function answer(checks: NumberCheck[] = []): TurnResult {
  const call = {
    id: 'c1',
    name: 'sales',
    arguments: {},
    state: 'completed' as const,
    result: { rows, sql_query: 'select 1' },
  };
  const rest = {
    iterations: 1,
    sources: [],
    suggestions: [],
    partial_results: false,
    messages: [],
    execution_time_ms: 1,
  };
  return { status: 'completed', finish_reason: 'completed', content: CONTENT, tool_calls: [call], checks, ...rest };
}

const why = (wanted: string, ...checks: NumberCheck[]) =>
  stripVTControlCharacters(whyText(answer(checks), wanted, true));

describe('whyText', () => {
  it.each(['5%', '95', '795%', '120', '1'])('does not take %s for a part of another figure', (wanted) => {
    const checks = [check('795', 0), check('295', 1), check('1,200', 2), check('25%', 3)];
    expect(why(wanted, ...checks)).toBe(`${wanted} does not appear in the last answer.`);
  });

  it.each([
    ['1200', 2],
    ['1,200', 2],
    ['25%', 3],
    ['25', 3],
    ['25.0 %', 3],
  ])('finds %s', (wanted, row) => {
    const found = why(wanted, check('795', 0), check('1,200', 2), check('25%', 3));
    expect(found).toContain(`→ row ${row + 1}, share = 25  ✓ found`);
  });

  it('shows the same row once, and the query of a call once', () => {
    expect(why('25%', check('25%', 3), check('25%', 3), check('25%', 5)).split('\n')).toEqual([
      '  [1] sales → row 4, share = 25  ✓ found',
      '  [1] sales → row 6, share = 25  ✓ found',
      '      select 1',
    ]);
  });

  it('distinguishes an unchecked figure from one that is not in the answer', () => {
    expect(why('295')).toBe('295 was not checked against tool results.');
  });

  it('lists each figure with its place when none is named', () => {
    const missing: NumberCheck = { text: '795', start: 7, end: 10, found: false };
    expect(why('', check('25%', 3), check('25%', 3), missing).split('\n')).toEqual([
      '  25%  [1] sales → row 4, share = 25  ✓ found, 2 times',
      '    795  ✗ not found in any tool result',
      '  /why 25% shows its query, /why all everything that led to the answer',
    ]);
  });

  it('lists the calls of an answer without figures, and no more than twelve lines', () => {
    expect(why('').split('\n')).toEqual(['  sales  → 40 rows', '  /why all shows everything that led to the answer']);
    const checks = Array.from({ length: 20 }, (_, row) => check('25%', row));
    expect(
      why('', ...checks)
        .split('\n')
        .slice(-2)[0],
    ).toBe('  … and 8 more');
  });

  it('counts every figure: those that are listed, each with its times, and those that are not', () => {
    const checks = Array.from({ length: 40 }, (_, index) => check('25%', index % 20));
    const lines = why('', ...checks).split('\n');
    expect([lines.filter((line) => line.endsWith(', 2 times')).length, lines.at(-2)]).toEqual([12, '  … and 16 more']);
  });

  it('cuts long results only for a window', () => {
    expect(whyText(answer(), 'all', true)).toContain('more lines');
    expect(whyText(answer(), 'all', false)).toContain('"n": 39');
    expect(whyText(answer(), 'all', false)).not.toMatch(/more lines|left out/);
  });

  it('shows what was computed, and which words were used for it', () => {
    const reading = {
      kind: 'answer' as const,
      echo: 'total revenue, by category, highest first',
      parts: [],
      confidence: 'high' as const,
      reasons: [],
      not_understood: [],
      choices: [],
      spans: [
        { words: 'most', start: 0, end: 4, part: 'order' },
        { words: 'revenue', start: 5, end: 12, part: 'measure revenue' },
      ],
    };
    const routing = { reading, identified_domains: ['sales'], confidence: 1, reasoning: 'r', user_query: 'q' };
    const told = { ...answer([check('25%', 3)]), routing } as unknown as TurnResult; // a short decision
    expect(
      stripVTControlCharacters(whyText(told, '', true))
        .split('\n')
        .slice(0, 2),
    ).toEqual([
      '  computed    total revenue, by category, highest first',
      '  words       most → order · revenue → measure revenue',
    ]);
  });
});
