import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseTapes } from '../../src/cli/case-tapes.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { cassettePath, readCassette } from '../../src/evals/cassette/cassette.ts';
import type { RunReport } from '../../src/schema/tests/run-report.ts';
import { EVENT_STREAM, type FakeReply, sendPieces, startModelServer, writeEvents } from '../fakes/model-server.ts';
import { failuresOf, switchNetworkOff, testAgent, writeAgent } from './scene.ts';

const CASE = {
  name: 'one',
  turns: [
    { input: 'read the note and add it', files: [{ path: 'note.txt', type: 'text' }], approve: true },
    { input: 'thank you — merci é' },
  ],
  now: '2026-03-02T09:00:00Z',
  evaluations: [{ type: 'geval', name: 'Polite', criteria: 'is polite', threshold: 0.5 }],
};
const TASKS = {
  name: 'tasks',
  type: 'mcp',
  transport: 'builtin',
  server: 'tasks',
  bind: { user_id: '$user.id' },
  approve: ['add_task'],
};

/** A chat completion, cut into pieces of a few bytes, so that characters are cut as well. */
function complete(...deltas: object[]): FakeReply {
  const chunks = deltas.map((delta) => ({ id: 'reply', model: 'm', choices: [{ index: 0, delta }] }));
  const reason = JSON.stringify(deltas).includes('tool_calls') ? 'tool_calls' : 'stop';
  const end = { id: 'reply', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  const bytes = Buffer.from(writeEvents(...chunks, end, '[DONE]'));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 97) }, (_, at) => bytes.subarray(at * 97, at * 97 + 97));
  return sendPieces(pieces, EVENT_STREAM);
}

/** A call without an id, so that one is drawn here. */
function callOf(index: number, name: string, args: object): object {
  return { index, function: { name, arguments: JSON.stringify(args) } };
}

const GRADE = complete({ content: '{"score": 9, "reason": "polite"}' });
const REPLIES = [
  complete(
    { content: 'Let me look — ' },
    { tool_calls: [callOf(0, 'list_tasks', {}), callOf(1, 'add_task', { title: 'plugh' })] },
  ),
  complete({ content: 'I have ' }, { content: 'added «plugh» é.' }),
  GRADE,
  complete({ content: 'You are ' }, { content: 'welcome.' }),
  GRADE,
];

/** Records the case against a model on a loopback port, which is closed afterwards. */
async function record(): Promise<string> {
  await using server = await startModelServer(REPLIES);
  const model = { provider: 'openai_compatible', name: 'm', endpoint: server.url };
  const file = writeAgent({ model, tools: [TASKS], test_cases: [CASE] }, { 'note.txt': 'the word is plugh' });
  expect(failuresOf(await runTaped(file, { record: true }))).toEqual([]);
  expect(server.requests).toHaveLength(REPLIES.length);
  return file;
}

async function runTaped(file: string, options: { record?: boolean; replay?: boolean }): Promise<RunReport> {
  const agent = await loadAgent(file, { withTests: true });
  return testAgent(file, caseTapes(agent, await readTestCases(agent), options));
}

const pathOf = (file: string) => cassettePath(join(dirname(file), 'cassettes'), CASE.name);

describe('a recording on the wire', { timeout: 120_000 }, () => {
  it('repeats calls, a file, an approval and grades through every front without a network', async () => {
    const file = await record();
    const { entries } = readCassette(pathOf(file));
    const fronts = entries.filter(({ kind }) => kind === 'front');
    expect(fronts.map(({ request }) => request)).toEqual(['terminal', 'REST', 'AG-UI']);
    for (const { reply } of fronts) expect(JSON.stringify(reply)).toMatch(/added «plugh» é[\s\S]*welcome/);
    const [sent] = entries.filter(({ kind }) => kind === 'model');
    expect(sent).toMatchObject({ request: { body: { model: 'm' } }, reply: { status: 200 } });
    expect(entries.filter(({ kind }) => kind === 'file')).toMatchObject([{ reply: { text: 'the word is plugh' } }]);

    const attempts = switchNetworkOff();
    expect(() => connect(80, '127.0.0.1')).toThrow('switched off');
    attempts.length = 0;
    for (let time = 0; time < 3; time++) expect(failuresOf(await runTaped(file, { replay: true }))).toEqual([]);
    expect(attempts).toEqual([]);
  });

  it('notices one changed byte of a front', async () => {
    const file = await record();
    const path = pathOf(file);
    const lines = readFileSync(path, 'utf8').split('\n');
    const changed = lines.map((line) =>
      line.includes('"request":"REST"') ? line.replace('welcome', 'Welcome') : line,
    );
    writeFileSync(path, changed.join('\n'));
    const [report] = (await runTaped(file, { replay: true })).cases;
    expect(report?.error).toMatch(/^the bytes of REST differ from the recording:[\s\S]*- .*Welcome[\s\S]*\+ .*welcome/);
  });

  it.each([
    {
      what: 'prompt',
      from: 'Secret word: xyzzy',
      to: 'Secret word: grue',
      shows: /model request[\s\S]*xyzzy[\s\S]*grue/,
    },
    {
      what: 'tool',
      from: 'builtin',
      to: 'builtin\n    allow: [add_task]',
      shows: /^the tool request differs[\s\S]*- [\s\S]*list_tasks/,
    },
  ])('shows a changed $what as lines', async ({ from, to, shows }) => {
    const file = await record();
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    const [report] = (await runTaped(file, { replay: true })).cases;
    expect(report?.status).toBe('error');
    expect(report?.error).toMatch(shows);
  });

  it('shows a changed file', async () => {
    const file = await record();
    writeFileSync(join(dirname(file), 'note.txt'), 'the word is grue!');
    const [report] = (await runTaped(file, { replay: true })).cases;
    expect(report?.error).toMatch(/^the file request differs from the recording:[\s\S]*"content"/);
  });
});
