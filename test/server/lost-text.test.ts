import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { readFrames, type SseFrame, serveRuntime } from './server.ts';

const RUN = {
  threadId: 't',
  runId: 'r',
  protocolVersion: '1.0',
  messages: [{ id: 'm', role: 'user', content: 'hello' }],
};
const callEcho = { reasoning: 'Hm.', text: 'Let me look. ', calls: [{ name: 'echo', arguments: { text: 'a' } }] };

/** A run whose store fails at its nth write: events emitted after that are lost. */
async function loseFrom(failingWrite: number) {
  const folder = temporaryFolder();
  const store = createSqliteStore({ folder });
  let isBroken = false;
  let writes = 0;
  const faulty = {
    ...store,
    writeTurn: async (...args: Parameters<typeof store.writeTurn>) => {
      writes++;
      isBroken ||= writes === failingWrite;
      if (isBroken) throw new AppError('store_unavailable', { detail: 'The disk is full.' });
      return store.writeTurn(...args);
    },
  };
  const tools = [buildTool()];
  const source = { name: 'test', tools: async () => tools, status: () => ({ state: 'ready' as const, tools: [] }) };
  const model = createScriptedModel(({ messages }) => (messages.length === 1 ? callEcho : { text: ['All ', 'done.'] }));
  const sources = [{ ...source, close: async () => {} }];
  const runtime = await createRuntime({ agents: [buildAgent()], folder, store: faulty, model, sources });
  const { call } = await serveRuntime(runtime);
  const run = async () => readFrames(await call('POST /awp', { body: RUN }));
  const told = await run();
  writes = Number.POSITIVE_INFINITY;
  isBroken = false;
  const session = /"session_id":"(\w+)"/.exec(JSON.stringify(told.map(({ data }) => data)))?.[1] ?? '';
  const isInterrupted = async () => (await (await call(`GET /sessions/${session}`)).text()).includes('"interrupted"');
  await expect.poll(isInterrupted).toBe(true);
  const ask = async (id: string) =>
    readFrames(await call(`GET /sessions/${session}/events?format=ag-ui`, { headers: { 'last-event-id': id } }));
  return { told, ask, run, runtime };
}

/** The messages that the protocol's client builds from frames. It refuses malformed frames. */
async function hear(frames: readonly SseFrame[]) {
  const body = frames.map(({ data }) => `data: ${JSON.stringify(data)}\n\n`).join('');
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const agent = new HttpAgent({ url: 'http://localhost', threadId: 't', fetch });
  await agent.runAgent();
  return agent.messages;
}

const type = (frame: SseFrame | undefined) => frame?.data.type;

describe('a reader of a run that was cut off', () => {
  it.each([1, 2, 3])('has a well-formed stream from every position, when write %i is lost', async (write) => {
    const { told, ask, run, runtime } = await loseFrom(write);
    expect(type(told.at(-1))).toBe('RUN_ERROR');
    for (const [index, { id }] of told.entries()) {
      const rest = await ask(id);
      const isOver = type(told[index]) === 'RUN_ERROR';
      expect([id, type(rest.at(-1))]).toEqual([id, isOver && rest.length === 0 ? undefined : 'RUN_ERROR']);
      await hear([...told.slice(0, index + 1), ...rest]);
    }
    // Sending the same run again continues it; a client with a part of the text receives the rest.
    expect(type((await run()).at(-1))).toBe('RUN_FINISHED');
    for (const [index, { id }] of told.entries()) {
      const rest = await ask(id);
      const messages = await hear([...told.slice(0, index + 1), ...rest]);
      expect([id, type(rest.at(-1)), messages.at(-1)?.content]).toEqual([id, 'RUN_FINISHED', 'All done.']);
      const held = messages.filter((message) => message.role === 'assistant');
      expect(held.map((message) => message.content)).toEqual(['Let me look. ', 'All done.']);
    }
    await runtime.stop();
  });
});

describe('hear', () => {
  it('refuses malformed frames', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { told, runtime } = await loseFrom(2);
    await expect(hear([...told, ...told.slice(2)])).rejects.toThrow(/already errored/);
    vi.restoreAllMocks();
    await runtime.stop();
  });
});
