import { expect, it } from 'vitest';
import type { CaseReport, RunReport } from '../../schema/tests/run-report.ts';
import { compareRuns } from './compare-runs.ts';
import { caseLine, summaryLines } from './report-text.ts';

const same = (text: string) => text;
const PLAIN = { green: same, red: same, yellow: same, dim: same, bold: same };

function caseOf(name: string, parts: Partial<CaseReport> = {}): CaseReport {
  return { name, status: 'passed', runs: 1, passed_runs: 1, pass_rate: 1, turns: [], ms: 10, ...parts };
}

function runOf(id: string, cases: CaseReport[]): RunReport {
  return { format: 1, id, agent: 'a', model: 'm', started_at: '2026-03-02T09:00:00Z', ms: 10, cases };
}

const before = runOf('B', [
  caseOf('a', { tokens: 100, cost_usd: 0.002 }),
  caseOf('b', { status: 'failed', tokens: 10 }),
  caseOf('gone'),
]);
const after = runOf('A', [
  caseOf('a', { status: 'error', tokens: 150, cost_usd: 0.005, ms: 30 }),
  caseOf('b', { tokens: 10 }),
  caseOf('new', { cost_usd: 1 }),
]);

it('compares outcomes, time, tokens and cost of the cases that both runs have', () => {
  expect(compareRuns(before, after)).toEqual({
    with: 'B',
    new_failures: ['a'],
    fixed: ['b'],
    added: ['new'],
    removed: ['gone'],
    ms: 20,
    tokens: 50,
    cost_usd: 0.003,
  });
});

it('shows time, tokens and cost beside the differences, new failures first', () => {
  expect(summaryLines(after, compareRuns(before, after), PLAIN).slice(1)).toEqual([
    'compared with run B: +20 ms, +50 tokens, +$0.0030',
    '  new failures: a',
    '  fixed: b',
    '  added: new',
    '  removed: gone',
  ]);
  expect(caseLine(caseOf('a', { tokens: 150, cost_usd: 0.005 }), PLAIN)).toBe('✓ a  10 ms · 150 tokens · $0.0050');
});
