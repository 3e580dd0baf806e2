import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseTapes } from '../../src/cli/case-tapes.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { cassettePath, readCassette } from '../../src/evals/cassette/cassette.ts';
import type { RunReport } from '../../src/schema/tests/run-report.ts';
import { type FakeModelServer, sendPieces, startModelServer } from '../fakes/model-server.ts';
import { WIRE_PROTOCOLS } from '../fakes/wire-protocols.ts';
import { failuresOf, run, switchNetworkOff, testAgent, writeAgent } from './scene.ts';

const ANSWER = 'Added “café” 🥛.';
const usage = { input_tokens: 3, output_tokens: 2 };

/** The last answer of a turn, as each provider with a package of the AI SDK writes it. */
const LAST: Record<string, { name: string; events: readonly object[] }> = {
  anthropic: {
    name: 'claude-sonnet-4-5',
    events: [
      {
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'c', usage },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  },
  google: {
    name: 'gemini-2.5-flash',
    events: [
      { candidates: [{ content: { parts: [{ text: ANSWER }], role: 'model' }, finishReason: 'STOP', index: 0 }] },
    ],
  },
  openai: {
    name: 'gpt-5-mini',
    events: [
      { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-5-mini' } },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'm', type: 'message' } },
      { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: ANSWER },
      { type: 'response.output_item.done', output_index: 0, item: { id: 'm', type: 'message' } },
      { type: 'response.completed', response: { usage } },
    ],
  },
};
const CASE = {
  name: 'one',
  input: 'read the note and add it',
  files: [{ path: 'note.txt', type: 'text' }],
  approve: true,
  expected_tools: ['add_task', 'list_tasks'],
  expected_approvals: ['add_task'],
  expected_content: ['Added “café”'],
};
const TASKS = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
const KEYS: Record<string, string> = {
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
  openai: 'OPENAI_API_KEY',
};

beforeEach(() => {
  for (const key of Object.values(KEYS)) vi.stubEnv(key, 'sk-a-secret-of-the-provider');
});
afterEach(() => vi.unstubAllEnvs());

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** A provider that asks for two calls and then answers; its bytes are cut inside characters. */
async function startProvider(provider: string): Promise<{ server: FakeModelServer; file: string }> {
  const calls = WIRE_PROTOCOLS.find((protocol) => protocol.provider === provider)?.reply ?? Buffer.of();
  const { name, events } = LAST[provider] ?? { name: '', events: [] };
  const last = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const server = await startModelServer([calls, Buffer.from(last)].map((bytes) => sendPieces(cut(bytes, 97))));
  const model = { provider, name, endpoint: server.url, api_key: `\${${KEYS[provider]}}` };
  const parts = { model, tools: [{ ...TASKS, approve: ['add_task'] }], test_cases: [CASE] };
  return { server, file: writeAgent(parts, { 'note.txt': 'the word is café' }) };
}

async function runTaped(file: string, options: { record?: boolean; replay?: boolean }): Promise<RunReport> {
  const agent = await loadAgent(file, { withTests: true });
  return testAgent(file, caseTapes(agent, await readTestCases(agent), options));
}

describe.each(Object.keys(LAST))('a recording of %s', (provider) => {
  it('repeats two calls, a file and an approval through every front without a network', {
    timeout: 120_000,
  }, async () => {
    const { server, file } = await startProvider(provider);
    try {
      expect(failuresOf(await runTaped(file, { record: true }))).toEqual([]);
      expect(server.requests).toHaveLength(2);
    } finally {
      await server[Symbol.asyncDispose]();
    }
    const path = cassettePath(join(dirname(file), 'cassettes'), CASE.name);
    const { entries } = readCassette(path);
    const fronts = entries.filter(({ kind }) => kind === 'front');
    expect(fronts.map(({ request }) => request)).toEqual(['terminal', 'REST', 'AG-UI']);
    for (const { reply } of fronts) expect(JSON.stringify(reply)).toContain(ANSWER);
    expect(readFileSync(path, 'utf8')).not.toContain('sk-a-secret');

    const attempts = switchNetworkOff();
    for (let time = 0; time < 2; time++) expect(failuresOf(await runTaped(file, { replay: true }))).toEqual([]);
    expect(attempts).toEqual([]);
  });
});

it('the program records and repeats, and exits with 1 for a difference and 3 for a bad cassette', {
  timeout: 240_000,
}, async () => {
  const { server, file } = await startProvider('anthropic');
  try {
    expect(await run(['test', file, '--record'])).toMatchObject({ code: 0, out: expect.stringContaining('1 passed') });
  } finally {
    await server[Symbol.asyncDispose]();
  }
  for (const key of Object.values(KEYS)) vi.stubEnv(key, undefined);
  expect((await run(['test', file])).code).toBe(2);
  writeFileSync(file, readFileSync(file, 'utf8').replace('ANTHROPIC_API_KEY', 'A_KEY_OF_MY_OWN'));
  expect(await run(['test', file, '--replay'])).toMatchObject({ code: 0, out: expect.stringContaining('1 passed') });
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('Secret word: xyzzy', 'Secret word: grue'));
  const changed = await run(['test', file, '--replay']);
  expect(changed.code).toBe(1);
  expect(changed.out).toMatch(/the model request differs from the recording:[\s\S]*- .*xyzzy[\s\S]*\+ .*grue/);
  writeFileSync(file, text);
  const path = cassettePath(join(dirname(file), 'cassettes'), CASE.name);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"format":2', '"format":3'));
  expect(await run(['test', file, '--replay'])).toMatchObject({ code: 3, aside: expect.stringContaining('format 3') });
  expect((await run(['test', file, '--replay', join(dirname(file), 'none')])).code).toBe(3);
});
