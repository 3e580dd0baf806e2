import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import { buildTool } from '../build.ts';
import { listTools, openScript, SERVERS } from '../fixtures/mcp-servers/open.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, readFrames, type ServerScene, type SseFrame, streamFrames } from './server.ts';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const CHAT = 'POST /agent/helper/chat';
const callAsk = { calls: [{ name: 'ask', arguments: {} }] };

interface Waiting {
  session_id: string;
  status: string;
  content: string;
  question: { call_id: string; message: string; schema: object };
  tool_calls: { status: string; state: string; result?: unknown; error?: { message: string } }[];
}

interface AskingScene extends Omit<ServerScene, 'tools' | 'sources'> {
  /** `servers.mjs` speaks the 2025 protocol, `ask-modern.ts` that of 2026. */
  script?: string;
}

/** A server whose agent uses a real MCP server, over stdio, that asks the human for a city. */
async function openAsking({ script = 'servers.mjs', ...scene }: AskingScene) {
  const source = openScript([`${SERVERS}/${script}`, 'ask']);
  onTestFinished(() => source.close());
  // Without this wait, a turn could begin before the server has listed its tools.
  await listTools(source);
  const server = await openServer({ ...scene, tools: [], sources: [source] });
  const { call, runtime } = server;
  const ask = async (as = 'alice'): Promise<Waiting> =>
    (await (await call(CHAT, { as, body: { message: 'hello' } })).json()) as Waiting; // compared by each test
  const resume = (waiting: Waiting, given: object, more: object = {}) => {
    const body = [{ call_id: waiting.question.call_id, ...given }];
    return call(`POST /sessions/${waiting.session_id}/resume`, { body, ...more });
  };
  const answers = async (response: Response) => (await response.json()) as Waiting; // compared by each test
  return { ...server, ask, resume, answers, settled: () => expect.poll(() => runtime.activeTurns).toBe(0) };
}

/** Every message gets a call that asks. A result is answered with the same text. */
const askAlways = ({ messages }: { messages: readonly { role: string; content: string }[] }): ScriptedReply =>
  messages.at(-1)?.role === 'tool' ? `Said: ${messages.at(-1)?.content}` : callAsk;

describe('a question of a running tool over REST', () => {
  it('ends the answer as waiting; its answer continues the same call', async () => {
    const { ask, resume, answers, call, settled } = await openAsking({ replies: askAlways });
    const waiting = await ask();
    expect(waiting).toMatchObject({
      status: 'waiting',
      finish_reason: 'waiting',
      content: '',
      question: { call_id: expect.any(String), message: 'Which city?', schema: CITY },
      tool_calls: [{ name: 'ask', state: 'waiting', status: 'waiting' }],
    });
    const session = `/sessions/${waiting.session_id}`;
    expect(await (await call(`GET ${session}`)).json()).toMatchObject({ turn: { status: 'waiting' } });
    const done = await answers(await resume(waiting, { result: { city: 'Paris' } }));
    expect(done).toMatchObject({ status: 'completed', tool_calls: [{ status: 'success' }] });
    expect(done).not.toHaveProperty('question');
    expect(done.content).toContain('"action":"accept","content":{"city":"Paris"}');
    await settled();
    expect(await (await call(`GET ${session}`)).json()).toMatchObject({ turn: { status: 'completed' } });
  });

  it('is shown by a stream, which ends with it; the answer begins the next stream', async () => {
    const { call, settled } = await openAsking({ replies: askAlways });
    const frames = await readFrames(await call(`${CHAT}/stream`, { body: { message: 'hello' } }));
    expect(frames.map(({ event }) => event)).toEqual([
      'stream_start',
      'tool_call_start',
      'tool_call_args',
      'question',
      'stream_end',
    ]);
    const asked = frames[3]?.data as { call_id: string }; // compared as a whole below
    expect(asked).toMatchObject({ name: 'ask', message: 'Which city?', schema: CITY });
    const session_id = String(frames[0]?.data.session_id);
    const headers = { accept: 'text/event-stream' };
    const body = [{ call_id: asked.call_id, result: 'Rome' }];
    const rest = await readFrames(await call(`POST /sessions/${session_id}/resume`, { body, headers }));
    expect(rest.map(({ event }) => event)).toEqual(['tool_call_end', 'message_delta', 'stream_end']);
    await settled();
    const again = await readFrames(await call(`GET /sessions/${session_id}/events`));
    expect(again.map(({ id }) => id)).toEqual([...frames, ...rest].map(({ id }) => id));
  });

  it('reaches a reader who follows, before and after its answer', async () => {
    const { ask, resume, call } = await openAsking({ replies: askAlways });
    const waiting = await ask();
    const stream = streamFrames(await call(`GET /sessions/${waiting.session_id}/events?follow=1`));
    const seen: string[] = [];
    for await (const { event, data } of stream) {
      seen.push(event);
      if (data.status === 'waiting') await resume(waiting, { result: { city: 'Oslo' } });
      if (data.status === 'completed') break;
    }
    expect(seen.slice(-5)).toEqual(['question', 'stream_end', 'tool_call_end', 'message_delta', 'stream_end']);
  });

  it('is taken once under one key', async () => {
    const { ask, resume, answers, model } = await openAsking({ replies: askAlways });
    const waiting = await ask();
    const headers = { 'idempotency-key': 'k' };
    const first = await answers(await resume(waiting, { result: { city: 'Paris' } }, { headers }));
    const second = await answers(await resume(waiting, { result: { city: 'Paris' } }, { headers }));
    expect(second).toEqual(first);
    expect(model.requests).toHaveLength(2);
  });

  it.each([
    ['of the wrong shape', { result: { city: 7 } }, '[0].result.city'],
    ['without what is required', { result: {} }, '[0].result'],
    ['that is a decision', { approved: true }, '[0]'],
  ])('refuses an answer %s, and goes on asking', async (_name, given, path) => {
    const { ask, resume, answers } = await openAsking({ replies: askAlways });
    const waiting = await ask();
    const refused = await resume(waiting, given);
    expect(refused.status).toBe(422);
    expect((await readAnswer(refused)).errors[0]).toMatchObject({ path: expect.stringContaining(path) });
    expect(await answers(await resume(waiting, { result: { city: 'Paris' } }))).toMatchObject({ status: 'completed' });
  });

  it('can be declined or cancelled, and belongs to its user alone', async () => {
    const { ask, resume, answers, call } = await openAsking({ replies: askAlways });
    const first = await ask();
    expect((await resume(first, { result: { city: 'Paris' } }, { as: 'bob' })).status).toBe(404);
    const body = { message: 'and now?', session_id: first.session_id };
    const refused = await call(CHAT, { body });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'awaiting_input' }]);
    expect((await answers(await resume(first, { approved: false }))).content).toContain('"action":"decline"');
    const second = await ask();
    const cancelled = await call(`POST /sessions/${second.session_id}/cancel`, { body: {} });
    expect(await cancelled.json()).toMatchObject({ cancelled: true, turn: { status: 'cancelled' } });
  });

  it('is declined when its time is over, and the turn ends without anybody there', async () => {
    const { ask, settled, call } = await openAsking({
      replies: askAlways,
      agent: { loop: { question_timeout_seconds: 0.2 } },
    });
    const waiting = await ask();
    await settled();
    const answered = (await (await call(`GET /sessions/${waiting.session_id}`)).json()) as {
      turn: object;
      messages: { content: string }[];
    };
    expect(answered.turn).toMatchObject({ status: 'completed' });
    expect(answered.messages.at(-1)?.content).toContain('"action":"decline"');
  });

  it('may be open in three turns of a user; a fourth question is declined, and other users are not touched', async () => {
    const { ask } = await openAsking({ replies: askAlways, script: 'ask-modern.ts' });
    const states = [await ask(), await ask(), await ask(), await ask(), await ask('bob')];
    expect(states.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting', 'completed', 'waiting']);
    expect(states[3]?.content).toContain('declined');
  });

  it.each(['servers.mjs', 'ask-modern.ts'])(
    'of two calls at once is answered singly or together: %s',
    async (script) => {
      const both = { calls: [...callAsk.calls, ...callAsk.calls] };
      const replies = [both, 'One by one.', both, 'Together.'];
      const { ask, resume, answers, call } = await openAsking({ replies, script });
      const first = await ask();
      const second = await answers(await resume(first, { result: { city: 'Paris' } }));
      expect(second).toMatchObject({ status: 'waiting', tool_calls: [{ status: 'success' }, { status: 'waiting' }] });
      expect(second.question.call_id).not.toBe(first.question.call_id);
      const done = await answers(await resume(second, { result: { city: 'Rome' } }));
      expect(done).toMatchObject({ status: 'completed', content: 'One by one.' });

      const third = await ask();
      const body = (third.tool_calls as unknown as { id: string }[]).map(({ id }) => ({ call_id: id, result: 'Bonn' })); // ids are sent
      const together = await answers(await call(`POST /sessions/${third.session_id}/resume`, { body }));
      expect(together).toMatchObject({ status: 'completed', content: 'Together.' });
    },
  );
});

it('a question does not hold up the end of the server: its turn is interrupted at once', async () => {
  const folder = temporaryFolder();
  const { ask, runtime } = await openAsking({ replies: askAlways, folder });
  const { session_id } = await ask();
  // The grace is longer than any test: if the turn used it, this call would not return.
  await runtime.stop(3_600_000);
  const { call } = await openServer({ replies: [], folder });
  expect(await (await call(`GET /sessions/${session_id}`)).json()).toMatchObject({ turn: { status: 'interrupted' } });
  const frames = await readFrames(await call(`GET /sessions/${session_id}/events`));
  expect(frames.find(({ event }) => event === 'tool_call_end')?.data).toMatchObject({ name: 'ask', state: 'unknown' });
});

it('a question whose process is killed leaves its call unknown, and the turn interrupted', async () => {
  const folder = temporaryFolder();
  const fixture = join(import.meta.dirname, '../fixtures/killed-question.ts');
  const { stdout: id, signal } = spawnSync(process.execPath, [fixture, folder], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  const { call } = await openServer({ replies: [], folder });
  expect(await (await call(`GET /sessions/${id}`)).json()).toMatchObject({ turn: { status: 'interrupted' } });
  const frames = await readFrames(await call(`GET /sessions/${id}/events`));
  const ended = frames.find(({ event }) => event === 'tool_call_end');
  expect(ended?.data).toMatchObject({ name: 'ask', state: 'unknown', status: 'error' });
  const resume = await call(`POST /sessions/${id}/resume`, {
    body: [{ call_id: ended?.data.call_id, result: 'Paris' }],
  });
  expect(resume.status).toBe(422);
});

describe('a question of a running tool over AG-UI', () => {
  it.each(['servers.mjs', 'ask-modern.ts'])(
    'ends the run with an interrupt; the next run answers it: %s',
    async (script) => {
      const { url, settled } = await openAsking({ replies: askAlways, script });
      const agent = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer alice' }, threadId: 't' });
      agent.addMessage({ id: 'm', role: 'user', content: 'hello' });
      await agent.runAgent();
      expect(agent.pendingInterrupts).toMatchObject([
        { reason: 'input_required', message: 'Which city?', responseSchema: expect.objectContaining(CITY) },
      ]);
      const [interrupt] = agent.pendingInterrupts;
      const payload = { city: 'Paris' };
      const { newMessages } = await agent.runAgent({
        resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload }],
      });
      expect(newMessages).toMatchObject([{ role: 'tool' }, { role: 'assistant' }]);
      expect(newMessages[1]?.content).toContain('Paris');
      expect(agent.pendingInterrupts).toEqual([]);
      await settled();
    },
  );

  it('is declined by a cancelled entry', async () => {
    const { url } = await openAsking({ replies: askAlways });
    const agent = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer alice' }, threadId: 't' });
    agent.addMessage({ id: 'm', role: 'user', content: 'hello' });
    await agent.runAgent();
    const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }));
    const { newMessages } = await agent.runAgent({ resume });
    expect(newMessages.at(-1)?.content).toContain('"action":"decline"');
  });
});

describe('followed question', () => {
  const CHAT = 'POST /agent/helper/chat';
  const run = (threadId: string, content: string) => ({
    threadId,
    runId: 'run-1',
    messages: [{ id: 'message-1', role: 'user', content }],
    tools: [],
    context: [],
  });

  function dataOf(frames: readonly SseFrame[], type: string) {
    return frames.map(({ data }) => data).filter((data) => data.type === type);
  }

  describe('AG-UI frames of a followed conversation', () => {
    it('begin with the message that somebody else sent', async () => {
      const { call } = await openServer({ replies: () => 'Hi.' });
      const { session_id } = await readAnswer(await call(CHAT, { body: { message: 'hello' } }));
      const frames = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
      const [start] = dataOf(frames, 'RUN_STARTED');
      expect(start?.input).toEqual({
        threadId: session_id,
        runId: start?.runId,
        messages: [{ id: expect.any(String), role: 'user', content: 'hello' }],
        tools: [],
        context: [],
      });
      for (const { data } of frames) expect(EventSchema.safeParse(data).error).toBeUndefined();
    });

    it("have the client's own id for its message, so that it is not shown twice", async () => {
      const { call } = await openServer({ replies: () => 'Hi.' });
      const own = await readFrames(await call('POST /agent/helper/awp', { body: run('thread', 'hello') }));
      expect(dataOf(own, 'RUN_STARTED')[0]).not.toHaveProperty('input');
      const session_id = /"session_id":"(\w+)"/.exec(JSON.stringify(own))?.[1];
      const followed = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
      expect(dataOf(followed, 'RUN_STARTED')[0]?.input).toMatchObject({
        threadId: 'thread',
        runId: 'run-1',
        messages: [{ id: 'message-1', role: 'user', content: 'hello' }],
      });
    });
  });

  describe('AG-UI frames of a call', () => {
    it.each([
      ['completed', buildTool({ name: 'look' })],
      ['failed', buildTool({ name: 'look', outcome: { error: { error_type: 'ToolInvocationError', message: 'no' } } })],
    ])('have the time on the server right after the result (%s)', async (state, tool) => {
      const replies = [{ calls: [{ name: 'look', arguments: {} }] }, 'Done.'];
      const { call } = await openServer({ replies, tools: [tool] });
      const frames = await readFrames(await call('POST /agent/helper/awp', { body: run('thread', 'look') }));
      const at = frames.findIndex(({ data }) => data.type === 'TOOL_CALL_RESULT');
      expect(frames[at + 1]?.data).toEqual({
        type: 'CUSTOM',
        name: 'tool_time',
        value: {
          call_id: frames[at]?.data.toolCallId,
          state,
          started_at: expect.stringMatching(/^\d{4}-.*Z$/),
          duration_ms: expect.any(Number),
        },
      });
      for (const { data } of frames) expect(EventSchema.safeParse(data).error).toBeUndefined();
    });
  });
});
