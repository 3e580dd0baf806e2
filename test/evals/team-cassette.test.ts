import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseTapes } from '../../src/cli/case-tapes.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { cassettePath } from '../../src/evals/cassette/cassette.ts';
import type { Tape } from '../../src/evals/cassette/tape.ts';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import { delegateTo, handBack, handOver, scriptedTeam } from '../team/team.ts';
import { failuresOf, testAgent, writeAgent } from './scene.ts';

const MEMBERS = ['anna', 'ben', 'cleo'];
const CASE = {
  name: 'three at once',
  input: 'ask everybody',
  approve: true,
  delegations: MEMBERS,
};
const add = (title: string) => ({ calls: [{ name: 'add_task', arguments: { title } }] });
const member = (name: string) => (step: number) =>
  [add(`first of ${name}`), add(`second of ${name}`), `${name} is done.`][step] ?? '';
const SCRIPT = {
  lead: (step: number) =>
    step === 0 ? { calls: MEMBERS.map((name) => delegateTo(name, `Two tasks of ${name}.`)) } : 'All are done.',
  ...Object.fromEntries(MEMBERS.map((name) => [`lead/${name}`, member(name)])),
};

function writeTeam(approve: string[] = [], more: object = {}): string {
  const agents = Object.fromEntries(
    MEMBERS.map((name) => [name, { description: name, instructions: `lead/${name}`, tools: ['tasks'] }]),
  );
  const server = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
  const tools = [{ ...server, approve }];
  const team = { tools, agents, sub_agents: MEMBERS, test_cases: [CASE], ...more };
  return writeAgent({ name: 'lead', instructions: 'lead', ...team });
}

/** Lets members finish in this order only: the last reply of each waits for that of the member before it. */
function inOrder(order: readonly string[]) {
  const ended: string[] = [];
  const gates = new Map(order.map((name) => [name, Promise.withResolvers<void>()]));
  const wrap = (model: Model): Model => ({
    label: model.label,
    async *stream(request, options) {
      const name = MEMBERS.find((one) => request.system.startsWith(`lead/${one}`));
      const isLast = request.messages.filter(({ role }) => role === 'tool').length === 2;
      if (!name || !isLast) return yield* model.stream(request, options);
      await gates.get(order[order.indexOf(name) - 1] ?? '')?.promise;
      try {
        yield* model.stream(request, options);
      } finally {
        ended.push(name);
        gates.get(name)?.resolve();
      }
    },
  });
  return { ended, wrap };
}

const withModel = (tape: Tape, wrap: (model: Model) => Model): Tape => ({
  ...tape,
  tap: { ...tape.tap, model: (model, options) => wrap(tape.tap.model(model, options)) },
});

async function record(order: readonly string[], approve?: string[]): Promise<string> {
  const file = writeTeam(approve);
  const { agent, cases } = await load(file);
  const { ended, wrap } = inOrder(order);
  const report = await testAgent(file, {
    partsFor: () => ({ model: wrap(scriptedTeam(SCRIPT)) }),
    ...caseTapes(agent, cases, { record: true }),
  });
  expect(failuresOf(report)).toEqual([]);
  expect(ended).toEqual(order);
  return file;
}

/** Repeats the case through every front as well. */
async function replay(file: string, order: readonly string[]) {
  const { agent, cases } = await load(file);
  const { ended, wrap } = inOrder(order);
  const { tapeFor, ...tapes } = caseTapes(agent, cases, { replay: true }) ?? {};
  const report = await testAgent(file, {
    partsFor: () => ({ model: scriptedTeam({}) }),
    ...tapes,
    tapeFor: (one) => withModel(tapeFor?.(one) as Tape, wrap), // a replay has a tape for every case
  });
  return { ended, failures: failuresOf(report), answer: report.cases[0]?.turns[0]?.content };
}

async function load(file: string) {
  const agent = await loadAgent(file, { withTests: true });
  return { agent, cases: await readTestCases(agent) };
}

const pathOf = (file: string) => cassettePath(join(dirname(file), 'cassettes'), CASE.name);

describe('the cassette of a team', () => {
  it.each([
    ['without approvals', []],
    ['whose members wait for approvals', ['add_task']],
  ])('repeats parallel members that finish in another order, %s', async (_, approve) => {
    const file = await record(['cleo', 'anna', 'ben'], approve);
    for (const order of [MEMBERS, ['ben', 'cleo', 'anna']]) {
      expect(await replay(file, order)).toEqual({ ended: order, failures: [], answer: 'All are done.' });
    }
  });

  it('names the member that asks for more than its turn has, or for less', async () => {
    const file = await record(MEMBERS);
    const lines = readFileSync(pathOf(file), 'utf8').split('\n');
    const isOfBen = (line: string) => line.includes('"lane":"ben:') && line.includes('"kind":"model"');
    const last = lines.findLastIndex(isOfBen);
    writeFileSync(pathOf(file), lines.toSpliced(last, 1).join('\n'));
    expect((await replay(file, MEMBERS)).failures.join('\n')).toContain(
      'ben: this model request is not in the recording',
    );
    writeFileSync(pathOf(file), lines.toSpliced(last, 0, String(lines[last])).join('\n'));
    expect((await replay(file, MEMBERS)).failures.join('\n')).toContain('ben: a recorded model request was not made');
  });
});

type Script = Parameters<typeof scriptedTeam>[0];
const isTold = (text: string) => (messages: ModelRequest['messages']) => messages.at(-1)?.content.includes(text);
const isBack = isTold('anna handed the conversation over to lead');

/** Teams without a delegation that a model asks for. `lanes`: members with a turn of their own. */
const OTHERS: [what: string, other: { team: object; turns: object[]; script: Script; lanes: string[] }][] = [
  [
    'hands the conversation over and back',
    {
      team: { handoffs: ['anna'] },
      turns: [
        { input: 'For anna', agents: ['anna'], expected_content: ['Hello from anna.'] },
        { input: 'And back', agents: ['lead'], expected_content: ['All is done.'] },
      ],
      script: {
        lead: (step, { messages }) =>
          isBack(messages) ? 'All is done.' : ([{ calls: [handOver('anna', 'Hers')] }][step] ?? ''),
        'lead/anna': (step, { messages }) =>
          isTold('And back')(messages)
            ? { calls: [handBack('Done')] }
            : ([add('first of anna')][step] ?? 'Hello from anna.'),
      },
      lanes: [],
    },
  ],
  [
    'lets members read the answer',
    {
      // biome-ignore lint/suspicious/noThenProperty: a key of agent.yaml
      team: { then: ['anna', { agent: 'ben', required: true }] },
      turns: [{ input: 'Add one', delegations: ['anna', 'ben'], expected_content: ['All is done.'] }],
      script: {
        lead: (step) => [add('first of lead')][step] ?? 'A draft.',
        'lead/anna': (step) =>
          [add('first of anna')][step] ?? '{"keep":false,"answer":"All is done.","note":"It was a draft."}',
        'lead/ben': () => '{"keep":true}',
      },
      lanes: ['anna', 'ben'],
    },
  ],
];

describe('the cassette of a team that', () => {
  it.each(OTHERS)('%s is repeated through every front', async (_, { team, turns, script, lanes }) => {
    const file = writeTeam([], { sub_agents: undefined, ...team, test_cases: [{ name: CASE.name, turns }] });
    const { agent, cases } = await load(file);
    const play = (own: Script, how: object) =>
      testAgent(file, { partsFor: () => ({ model: scriptedTeam(own) }), ...caseTapes(agent, cases, how) });
    expect(failuresOf(await play(script, { record: true }))).toEqual([]);
    const report = await play({}, { replay: true });
    expect(failuresOf(report)).toEqual([]);
    const lines = readFileSync(pathOf(file), 'utf8').split('\n');
    const found = lines.flatMap((line) => /"lane":"([^":]+):/.exec(line)?.[1] ?? []);
    expect([...new Set(found)].sort()).toEqual(lanes);
    const last = lines.findLastIndex((line) => line.includes('"kind":"model"'));
    writeFileSync(pathOf(file), lines.toSpliced(last, 1).join('\n'));
    expect(failuresOf(await play({}, { replay: true })).join('\n')).toContain(
      'this model request is not in the recording',
    );
  });
});
