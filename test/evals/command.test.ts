import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, writeAgent } from './scene.ts';

const passing = { name: 'lists <all>', input: 'what are my tasks?', expected_tools: ['list_tasks'] };
const failing = { name: 'adds', input: 'what are my tasks?', expected_tools: ['add_task'] };

describe('holodeck test', () => {
  it('exits with 0 when all cases pass, and stores the run', async () => {
    const file = writeAgent({ test_cases: [passing] });
    const { code, out } = await run(['test', file]);
    expect({ code, out: out.replace(/\d+(\.\d+)? m?s/g, '… ms') }).toEqual({
      code: 0,
      out: '1/1 ✓ lists <all>  … ms\n\ntodo (builtin): 1 passed in … ms\n',
    });
    expect(readdirSync(join(dirname(file), '.holodeck', 'runs'))).toHaveLength(1);
  });

  it('exits with 1 for a failed case, and shows new failures and fixed cases against the last run', async () => {
    const file = writeAgent({ test_cases: [passing] });
    await run(['test', file]);
    const broken = readFileSync(file, 'utf8').replace('- list_tasks', '- delete_task');
    writeFileSync(file, broken);
    const worse = await run(['test', file]);
    expect(worse.code).toBe(1);
    expect(worse.out).toContain('expected_tools: expected a call of delete_task\n      happened: list_tasks');
    expect(worse.out).toContain('new failures: lists <all>');
    writeFileSync(file, broken.replace('- delete_task', '- list_tasks'));
    expect((await run(['test', file])).out).toContain('fixed: lists <all>');
  });

  it('takes faithfulness and contextual_recall of found passages without a model that grades', async () => {
    const metrics = ['faithfulness', 'contextual_recall'];
    const file = writeAgent(
      {
        tools: [],
        knowledge: { rules: { source: './leave.md' } },
        test_cases: [
          {
            input: 'How many days of leave do employees in Leeds have?',
            ground_truth: 'Employees in Leeds have 25 days of leave. Employees in Porto have 30 days of leave.',
            evaluations: metrics.map((metric_type) => ({ type: 'rag', metric_type, threshold: 0.8 })),
          },
        ],
      },
      {
        'leave.md': '# Leave\n\nEmployees in Leeds have 25 days of leave. Employees in Porto have 22 days of leave.\n',
      },
    );
    const { code, out } = await run(['test', file, '--json']);
    const [found] = JSON.parse(out).cases;
    expect([code, found.status, found.turns[0].metrics]).toEqual([
      1,
      'failed',
      [
        { name: 'faithfulness', score: 1, threshold: 0.8, passed: true },
        {
          name: 'contextual_recall',
          score: 0.5,
          threshold: 0.8,
          passed: false,
          reason: 'no passage supports: Employees in Porto have 30 days of leave.',
        },
      ],
    ]);
  });

  it('prints JSON or JUnit alone, and takes a part of the cases', async () => {
    const file = writeAgent({ test_cases: [passing, failing] });
    const json = await run(['test', file, '--json', '--parallel', '2']);
    expect(JSON.parse(json.out).cases.map(({ status }: { status: string }) => status)).toEqual(['passed', 'failed']);
    const junit = await run(['test', file, '--junit']);
    expect(junit.out).toMatch(/^<\?xml version="1.0"[\s\S]*tests="2" failures="1" errors="0"/);
    expect(junit.out).toContain('name="lists &lt;all&gt;"');
    expect(junit.out).toContain('<failure message="expected_tools: expected a call of add_task; happened: list_tasks');
    expect((await run(['test', file, '--filter', 'LISTS'])).code).toBe(0);
    expect((await run(['test', file, '--filter', 'nothing'])).code).toBe(2);
    expect((await run(['test', file, '--compare', '0000'])).code).toBe(2);
  });

  it('exits with 2 when it cannot start, and with 3 for bad cases, each with its place', async () => {
    expect((await run(['test', join(dirname(writeAgent({})), 'none.yaml')])).code).toBe(2);
    expect((await run(['test', writeAgent({ tool: [] })])).code).toBe(2);
    expect((await run(['test', writeAgent({ test_cases: [passing] }), '--repeat', '0'])).code).toBe(2);
    expect(await run(['test', writeAgent({})])).toMatchObject({
      code: 3,
      aside: expect.stringContaining('no test cases'),
    });
    const inline = await run(['test', writeAgent({ test_cases: [{ name: 'x', inputs: 'hi' }] })]);
    expect(inline).toMatchObject({
      code: 3,
      aside: expect.stringMatching(/agent\.yaml:\d+:\d+ test_cases\[0\]\.inputs: .*input/),
    });
    const file = writeAgent(
      { test_cases_file: 'cases.yaml' },
      { 'cases.yaml': '# mine\n- name: x\n  turns: []\n  input: hi\n' },
    );
    const { code, aside } = await run(['test', file]);
    expect({ code, place: aside.match(/cases\.yaml:\d+/)?.[0] }).toEqual({ code: 3, place: 'cases.yaml:3' });
    const twice = writeAgent({ test_cases: [passing, passing] });
    expect(await run(['test', twice])).toMatchObject({
      code: 3,
      aside: expect.stringContaining('two cases are named'),
    });
  });

  it('writes JUnit to a file in a new folder, and refuses outputs that cannot be written', async () => {
    const file = writeAgent({ test_cases: [passing] });
    const path = join(dirname(file), 'reports', 'junit.xml');
    expect((await run(['test', file, '--junit', path, '--json'])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('tests="1" failures="0"');
    const impossible = join(file, 'junit.xml');
    expect(await run(['test', file, '--junit', impossible])).toMatchObject({
      code: 2,
      out: '',
      aside: expect.stringContaining('--junit: '),
    });
    expect(await run(['test', file, '--json', '--junit'])).toMatchObject({ code: 2, out: '' });
  });

  it('keeps an agent with bad cases or a missing judge usable elsewhere', async () => {
    const evaluations = {
      model: { provider: 'openai', name: 'x', api_key: `\${NOT_SET_HERE}` },
      metrics: [{ metric: 'equality' }],
    };
    const file = writeAgent({ evaluations, test_cases: [{ nonsense: true }] });
    expect((await run(['run', file, 'what are my tasks?', '-q'])).code).toBe(0);
    expect(await run(['check', file])).toMatchObject({ code: 1, aside: expect.stringContaining('NOT_SET_HERE') });
  });
});
