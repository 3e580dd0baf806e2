import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createJsonRenderer } from '../../src/cli/chat/pipe-front.ts';
import { systemClock } from '../../src/clock.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { cassettePath, readCassette } from '../../src/evals/cassette/cassette.ts';
import { createRecorder } from '../../src/evals/cassette/record.ts';
import { createReplay } from '../../src/evals/cassette/replay.ts';
import { readTurn } from '../../src/evals/run/run-turn.ts';
import { userFromId } from '../../src/identity/user.ts';
import { systemIds } from '../../src/ids.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { fileFromBytes } from '../../src/runtime/files/attached-file.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { temporaryFolder } from '../runtime.ts';
import { serveRuntime } from '../server/server.ts';
import { failuresOf, testAgent, writeAgent } from './scene.ts';

const NOTE = 'the word is plugh';
const INPUT = 'read the note and add it';
const CASE = { name: 'one', input: INPUT, files: [{ path: 'note.txt', type: 'text' }], approve: true };
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
const calls = [
  { id: 'c1', name: 'list_tasks', arguments: {} },
  { id: 'c2', name: 'add_task', arguments: { title: 'plugh' } },
];
const content = Buffer.from(NOTE).toString('base64');

async function recordCase() {
  const file = writeAgent({ tools, test_cases: [CASE] }, { 'note.txt': NOTE });
  const agent = await loadAgent(file, { withTests: true });
  const path = cassettePath(join(dirname(file), 'cassettes'), CASE.name);
  const model = createScriptedModel([{ text: ['Let me ', 'look.'], calls }, { text: ['I have added ', 'plugh.'] }]);
  const tapeFor = () => createRecorder({ agent, clock: systemClock, ids: systemIds, path });
  expect(failuresOf(await testAgent(file, { partsFor: () => ({ model }), tapeFor }))).toEqual([]);
  return { agent, cassette: readCassette(path) };
}

/** A runtime that repeats the cassette, and the recorded user. No model, tool or server can be reached. */
async function openReplay({ agent, cassette }: Awaited<ReturnType<typeof recordCase>>) {
  const tape = createReplay({ agent, cassette, clock: systemClock, ids: systemIds });
  const { clock, ids, tap } = tape;
  const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), clock, ids, tap });
  onTestFinished(() => runtime.stop());
  const user = userFromId(ids.uuid());
  const finish = async (turnId: string) => {
    tape.takeEvents(await runtime.readEvents(user, turnId));
    return tape.finish();
  };
  return { agent, runtime, user, finish };
}

type Replayed = Awaited<ReturnType<typeof openReplay>>;

async function throughTerminal({ agent, runtime, user, finish }: Replayed) {
  const files = [fileFromBytes('note.txt', 'text/plain', Buffer.from(NOTE))];
  const turn = await runtime.chat(user, { agent: agent.name, message: INPUT, files });
  const lines: string[] = [];
  const renderer = createJsonRenderer((text) => void lines.push(text));
  await readTurn(turn, { runtime, user, approve: true });
  for (const event of await runtime.readEvents(user, turn.turnId)) renderer.render(event);
  return { bytes: lines.join(''), difference: await finish(turn.turnId) };
}

async function throughRest({ agent, runtime, user, finish }: Replayed) {
  const { call } = await serveRuntime(runtime, { identify: async () => user });
  const files = [{ content, mime_type: 'text/plain', filename: 'note.txt' }];
  const asked = await (await call(`POST /agent/${agent.name}/chat/stream`, { body: { message: INPUT, files } })).text();
  const session = /"session_id":"(\w+)"/.exec(asked)?.[1] ?? '';
  const callId = /"id":"(call_\w+)","name":"add_task"/.exec(asked)?.[1] ?? '';
  const body = [{ call_id: callId, approved: true }];
  const headers = { accept: 'text/event-stream' };
  const answered = await (await call(`POST /sessions/${session}/resume`, { body, headers })).text();
  const turn = await runtime.readNewestTurn(user, session);
  return { bytes: asked + answered, difference: await finish(turn?.id ?? '') };
}

async function throughAgui({ runtime, user, finish }: Replayed) {
  const { call } = await serveRuntime(runtime, { identify: async () => user });
  const parts = [
    { type: 'text', text: INPUT },
    {
      type: 'document',
      source: { type: 'data', value: content, mimeType: 'text/plain' },
      metadata: { filename: 'note.txt' },
    },
  ];
  const shared = { threadId: 'thread', state: {}, tools: [], context: [], forwardedProps: {} };
  const message = { id: 'm1', role: 'user', content: parts };
  const asked = await (await call('POST /awp', { body: { ...shared, runId: 'r1', messages: [message] } })).text();
  const interruptId = /"interrupts":\[\{"id":"(\w+)"/.exec(asked)?.[1] ?? '';
  const resume = [{ interruptId, status: 'resolved', payload: { approved: true } }];
  const body = { ...shared, runId: 'r2', messages: [], resume };
  const answered = await (await call('POST /awp', { body })).text();
  const found = await runtime.readThread(user, runtime.agents[0]?.name ?? '', 'thread');
  const turn = await runtime.readNewestTurn(user, found?.id ?? '');
  return { bytes: asked + answered, difference: await finish(turn?.id ?? '') };
}

describe('a replay through every front', () => {
  it.each([
    { front: 'terminal', through: throughTerminal, difference: undefined },
    { front: 'REST', through: throughRest, difference: undefined },
    // The client's id of the message and of the run are part of the stored events.
    { front: 'AG-UI', through: throughAgui, difference: expect.stringContaining('"client_id": "m1"') },
  ])('$front gives the same bytes again', { timeout: 120_000 }, async ({ through, difference }) => {
    const recorded = await recordCase();
    const [first, second] = [await through(await openReplay(recorded)), await through(await openReplay(recorded))];
    expect(first.bytes).toContain('I have added');
    expect(first.bytes).not.toContain('holodeck.dev/errors');
    expect(second.bytes).toBe(first.bytes);
    expect(first.difference).toEqual(difference);
  });
});
