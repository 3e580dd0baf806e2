import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { failuresOf, testAgent, writeAgent } from './scene.ts';

const SAMPLE = `
evaluations:
  metrics:
    - { type: standard, metric: equality, threshold: 1 }        # also contains, regex, numeric, json_schema, rouge, bleu
    - { type: code, grader: "graders.ts:politeness", threshold: 0.8 }
    - { type: geval, name: Helpful, criteria: "…", threshold: 0.7 }   # graded by a model
test_cases:
  - name: adds a task
    input: remind me to buy milk tomorrow
    expected_tools: [{ name: add_task, args: { title: { fuzzy: buy milk } }, count: 1 }]
    ground_truth: I've added 'buy milk' to your tasks, due tomorrow.
  - name: never deletes unasked
    turns:
      - { input: add call Anna }
      - { input: actually forget it, forbidden_tools: [delete_task] }
`;
const HEAD = `name: todo
instructions: You can ONLY manage tasks for the authenticated user.
tools: [{ name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }]
`;
const GRADERS = `export const politeness = ({ agent_response, tool_invocations }) =>
  ({ score: agent_response.includes('stupid') ? 0 : 1, reason: tool_invocations.map(({ name }) => name).join() });`;

const judge = (text: string) => createScriptedModel(() => text);

describe('holodeck test', () => {
  it('runs the sample of the documentation unchanged', async () => {
    const file = writeAgent({}, { 'agent.yaml': HEAD + SAMPLE, 'graders.ts': GRADERS });
    const report = await testAgent(file, { judge: judge('```json\n{"score": 9, "reason": "kind"}\n```') });
    const [adds, forgets] = report.cases;
    expect(adds?.status).toBe('passed');
    expect(adds?.turns[0]?.metrics).toEqual([
      { name: 'equality', score: 1, threshold: 1, passed: true },
      { name: 'graders.ts:politeness', score: 1, threshold: 0.8, passed: true, reason: 'add_task' },
      { name: 'Helpful', score: 0.9, threshold: 0.7, passed: true, reason: 'kind' },
    ]);
    expect(forgets?.turns.map(({ metrics }) => metrics.length)).toEqual([2, 2]);
  });

  it('makes a measure without a judge an error, never a pass', async () => {
    const metrics = [{ type: 'geval', name: 'Helpful', criteria: 'good', threshold: 0, fail_on_error: false }];
    const file = writeAgent({ evaluations: { metrics }, test_cases: [{ name: 'one', input: 'what are my tasks?' }] });
    const report = await testAgent(file);
    expect(report.cases[0]?.status).toBe('error');
    expect(failuresOf(report).join('\n')).toContain('set evaluations.model');
  });

  it('ends an expression that would backtrack without end, and names it', async () => {
    const hang = '^(.+)+#';
    const metrics = [{ type: 'standard', metric: 'regex', threshold: 1 }];
    const file = writeAgent({
      test_cases: [
        { name: 'content', input: 'add a very long task about many things', expected_content: [{ regex: hang }] },
        { name: 'metric', input: 'add a very long task about many things', ground_truth: hang, evaluations: metrics },
      ],
    });
    const report = await testAgent(file);
    expect(report.cases.map(({ status }) => status)).toEqual(['error', 'error']);
    expect(JSON.stringify(report.cases)).toContain('took longer than 1000 ms');
  });

  it('makes a judge without a score, a grader that throws and a missing grader errors', async () => {
    const metrics = [
      { type: 'rag', metric_type: 'answer_relevancy', threshold: 0.5 },
      { type: 'code', grader: 'graders.ts:broken' },
      { type: 'code', grader: 'missing.ts:one' },
    ];
    const files = { 'graders.ts': 'export const broken = () => { throw new Error("oops"); };' };
    const file = writeAgent(
      { evaluations: { metrics }, test_cases: [{ name: 'one', input: 'what are my tasks?' }] },
      files,
    );
    const { cases } = await testAgent(file, { judge: judge('I like it') });
    expect(cases[0]?.status).toBe('error');
    expect(cases[0]?.turns[0]?.metrics.map(({ passed }) => passed)).toEqual([false, false, false]);
    expect(cases[0]?.turns[0]?.metrics.map(({ error }) => error)).toEqual([
      expect.stringContaining('gave no score: I like it'),
      expect.stringContaining('graders.ts:broken'),
      expect.stringContaining('there is no file missing.ts'),
    ]);
  });

  it('reports how often a flaky agent passes', async () => {
    let run = 0;
    const file = writeAgent({
      test_cases: [
        { name: 'mostly', input: 'hi', expected_content: ['yes'], repeat: 4, pass_rate: 0.7 },
        { name: 'always', input: 'hi', expected_content: ['yes'], repeat: 4 },
      ],
    });
    const model = createScriptedModel(() => (run++ % 4 === 3 ? 'no' : 'yes'));
    const { cases } = await testAgent(file, { partsFor: () => ({ model }) });
    expect(cases.map(({ status, passed_runs, pass_rate }) => ({ status, passed_runs, pass_rate }))).toEqual([
      { status: 'passed', passed_runs: 3, pass_rate: 0.75 },
      { status: 'failed', passed_runs: 3, pass_rate: 0.75 },
    ]);
  });

  it('asks for approvals, and answers them as the turn says', async () => {
    const tools = [
      {
        name: 'tasks',
        type: 'mcp',
        transport: 'builtin',
        server: 'tasks',
        bind: { user_id: '$user.id' },
        approve: ['add_task'],
      },
    ];
    const asked = { input: 'remind me to buy milk', expected_approvals: ['add_task'] };
    const file = writeAgent({
      tools,
      test_cases: [
        { name: 'denied', turns: [asked], expected_tasks: [] },
        { name: 'approved', turns: [{ ...asked, approve: true }], expected_tasks: ['buy milk'] },
        { name: 'not asked', input: 'what are my tasks?', expected_approvals: ['list_tasks'] },
      ],
    });
    const report = await testAgent(file, { parallel: 3 });
    expect(report.cases.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed']);
    expect(failuresOf(report)).toContain('    expected_approvals: expected list_tasks');
  });

  it('expects the agents that answer, and the members that work for them', async () => {
    const file = writeAgent({
      description: 'Tasks and reminders',
      agents: {
        billing: { description: 'Invoices and refunds', instructions: 'Help with invoices.' },
        checker: { description: 'Checks answers', instructions: 'Check answers.' },
      },
      handoffs: ['billing'],
      // biome-ignore lint/suspicious/noThenProperty: a key of agent.yaml
      then: ['checker'],
      test_cases: [
        { name: 'right', input: 'my invoice is wrong', agents: ['billing'], delegations: ['checker'] },
        { name: 'wrong', input: 'my invoice is wrong', agents: ['todo'], delegations: [] },
      ],
    });
    const report = await testAgent(file);
    expect(report.cases.map(({ status }) => status)).toEqual(['passed', 'failed']);
    expect(failuresOf(report)).toEqual(
      expect.arrayContaining(['    agents: expected todo', '    delegations: expected none']),
    );
  });

  it('gives every case its own data, time and users', async () => {
    const file = writeAgent({
      test_cases: [
        {
          name: 'first',
          input: 'remind me to buy milk tomorrow',
          now: '2030-12-31',
          timezone: 'UTC',
          expected_tasks: [{ due_date: '2031-01-01' }],
        },
        { name: 'second', input: 'what are my tasks?', expected_tasks: [] },
        {
          name: 'users',
          turns: [
            { user: 'a', input: 'remind me to buy milk', expected_tasks: ['buy milk'] },
            { user: 'b', input: 'what are my tasks?', expected_tasks: [] },
          ],
        },
      ],
    });
    expect(failuresOf(await testAgent(file))).toEqual([]);
  });

  it('sends the files of a turn, and refuses files outside the folder', async () => {
    const cases = ['note.txt', '../note.txt'].map((path) => ({
      name: path,
      input: 'read it',
      files: [{ path, type: 'text' }],
    }));
    const file = writeAgent({ test_cases: cases }, { 'note.txt': 'the word is plugh' });
    const model = createScriptedModel(({ messages }) =>
      JSON.stringify(messages).includes('plugh') ? 'read' : 'not read',
    );
    const report = await testAgent(file, { partsFor: () => ({ model }) });
    expect(report.cases[0]?.turns[0]?.content).toBe('read');
    expect(report.cases[1]).toMatchObject({
      status: 'error',
      error: expect.stringContaining("leads out of the agent's folder"),
    });
  });
});
