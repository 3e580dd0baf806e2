import { describe, expect, it } from 'vitest';
import type { Agent } from '../../schema/agent.ts';
import type { CaseReport, RunReport } from '../../schema/tests/run-report.ts';
import { TestCase } from '../../schema/tests/test-case.ts';
import { compareRuns } from './compare-runs.ts';
import { toPromptfoo } from './promptfoo.ts';
import { caseLine, summaryLines } from './report-text.ts';

const agent = { name: 'todo', server: { port: 8000 } } as Agent; // the export reads these parts only

const convert = (given: object) => {
  const { config, left } = toPromptfoo(agent, [{ ...TestCase.parse(given), name: 'one' }]);
  const [test] = config.tests as { assert: { type: string; value: string }[] }[]; // written as a list
  return { test, left };
};

/** Runs the assertion as promptfoo does: as an expression with the output and its context. */
function holds({ value }: { value: string }, tool_calls: object[]): boolean {
  const context = { providerResponse: { metadata: { tool_calls } } };
  return Boolean(new Function('output', 'context', `return ${value}`)('', context));
}

describe('toPromptfoo', () => {
  it('writes expectations of texts as assertions', () => {
    const given = { input: 'hi', expected_content: ['milk', { regex: 'due \\d' }], forbidden_content: ['secret'] };
    const { test, left } = convert({ ...given, evaluations: [{ type: 'geval', name: 'Kind', criteria: 'is kind' }] });
    expect([test, left]).toEqual([
      {
        description: 'one',
        vars: { message: 'hi' },
        assert: [
          { type: 'icontains', value: 'milk' },
          { type: 'regex', value: 'due \\d' },
          { type: 'not-icontains', value: 'secret' },
          { type: 'llm-rubric', value: 'is kind' },
        ],
      },
      [],
    ]);
  });

  it('writes expected and forbidden calls as expressions that hold for the same calls', () => {
    const args = { title: { fuzzy: 'Buy milk' }, due: '2026-03-03', note: { regex: 'a+' } };
    const given = { input: 'hi', expected_tools: [{ name: 'add', args, count: 2 }], forbidden_tools: ['delete'] };
    const [called, forbidden] = convert(given).test?.assert ?? [];
    const call = { name: 'add_task', arguments: { title: 'buy milk!', due: '2026-03-03', note: 'aa' } };
    if (!called || !forbidden) throw new Error('there are two assertions');
    expect(holds(called, [call, call])).toBe(true);
    expect(holds(called, [call])).toBe(false);
    expect(holds(called, [call, { ...call, arguments: { ...call.arguments, note: 'ab' } }])).toBe(false);
    expect(holds(forbidden, [call])).toBe(true);
    expect(holds(forbidden, [{ name: 'delete_task' }])).toBe(false);
  });

  it('names the cases and expectations that it leaves out', () => {
    expect(convert({ turns: [{ input: 'a' }, { input: 'b' }] }).left).toEqual(['the case "one"']);
    expect(convert({ input: 'a', expected_tasks: [], limits: { steps: 1 } }).left).toEqual([
      'expected_tasks',
      'limits.steps',
    ]);
  });
});

describe('compare runs', () => {
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
});
