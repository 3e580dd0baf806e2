import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { cassettePath, readCassette } from '../../src/evals/cassette/cassette.ts';
import { createRecorder } from '../../src/evals/cassette/record.ts';
import { createReplay } from '../../src/evals/cassette/replay.ts';
import { systemIds } from '../../src/ids.ts';
import { createScriptedModel, type ScriptedReply } from '../../src/models/scripted.ts';
import { failuresOf, testAgent, writeAgent } from './scene.ts';

const CASE = {
  name: 'a whole turn',
  input: 'read the note and add it',
  files: [{ path: 'note.txt', type: 'text' }],
  approve: true,
  expected_approvals: ['add_task'],
  expected_tools: ['list_tasks', 'add_task'],
};
const REPLIES: ScriptedReply[] = [
  {
    text: ['Let me ', 'look.'],
    calls: [
      { id: 'c1', name: 'list_tasks', arguments: {} },
      { id: 'c2', name: 'add_task', arguments: { title: 'plugh' } },
    ],
  },
  { text: ['I have added ', 'plugh.'] },
];
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

async function record(): Promise<{ file: string; path: string }> {
  const file = writeAgent({ tools, test_cases: [CASE] }, { 'note.txt': 'the word is plugh' });
  const agent = await loadAgent(file, { withTests: true });
  const path = cassettePath(join(dirname(file), 'cassettes'), CASE.name);
  const model = createScriptedModel(REPLIES);
  const report = await testAgent(file, {
    partsFor: () => ({ model }),
    tapeFor: () => createRecorder({ agent, clock: systemClock, ids: systemIds, path }),
  });
  expect(failuresOf(report)).toEqual([]);
  return { file, path };
}

/** Any call of a model or a network would throw. */
const silent = {
  label: 'scripted',
  stream: () => {
    throw new Error('a model was asked');
  },
};

async function replay(file: string, path: string) {
  const agent = await loadAgent(file, { withTests: true });
  const cassette = readCassette(path);
  return testAgent(file, {
    partsFor: () => ({ model: silent }),
    tapeFor: () => createReplay({ agent, cassette, clock: systemClock, ids: systemIds }),
  });
}

describe('a cassette', () => {
  it('repeats a turn with two calls, a file and an approval, with the same events', async () => {
    const { file, path } = await record();
    const entries = readCassette(path).entries;
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(
      new Set(['clock', 'file', 'id', 'tool', 'model', 'events']),
    );
    for (let time = 0; time < 3; time++) {
      const report = await replay(file, path);
      expect(failuresOf(report)).toEqual([]);
      expect(report.cases[0]?.turns[0]?.content).toBe('I have added plugh.');
    }
  });

  it('shows a changed prompt and a changed tool as a readable difference', async () => {
    const { file, path } = await record();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('Secret word: xyzzy', 'Secret word: grue'));
    const [report] = (await replay(file, path)).cases;
    expect(report?.status).toBe('error');
    expect(report?.error).toMatch(/^the model request differs from the recording:[\s\S]*- .*xyzzy[\s\S]*\+ .*grue/);
    expect(report?.error).toContain('The agent file has changed since the recording.');
  });

  it('reads format 1, whose lines have no lanes', async () => {
    const { file, path } = await record();
    const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"lane"'))).toEqual([]);
    writeFileSync(path, [head.replace('"format":2', '"format":1'), ...lines].join('\n'));
    expect(readCassette(path).format).toBe(1);
    expect(failuresOf(await replay(file, path))).toEqual([]);
  });

  it('refuses a file of another format, and one that is not there', async () => {
    const { file, path } = await record();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"format":2', '"format":3'));
    await expect(replay(file, path)).rejects.toMatchObject({
      code: 'cases_invalid',
      message: expect.stringContaining('format 3'),
    });
    await expect(replay(file, `${path}.none`)).rejects.toMatchObject({ code: 'cases_invalid' });
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });
});
