import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer, readAnswer, readFrames, streamFrames } from './server.ts';

const ASYNC = { prefer: 'respond-async' };
const SSE = { accept: 'text/event-stream' };
const message = { message: 'hello' };
const run = (runId: string, parts: object = {}) => ({
  threadId: 't',
  runId,
  messages: [{ id: 'm', role: 'user', content: 'hello' }],
  tools: [],
  context: [],
  ...parts,
});

/** A model that waits until the test allows its answer. */
function gatedReply() {
  const gate = Promise.withResolvers<void>();
  const replies = async () => {
    await gate.promise;
    return 'Hi.';
  };
  return { replies, open: gate.resolve };
}

interface Accepted {
  session_id: string;
  turn_id: string;
  run_id?: string;
  status: string;
}

async function readAccepted(response: Response): Promise<Accepted> {
  const accepted = (await response.json()) as Accepted; // compared by the next lines
  expect([response.status, response.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
  expect(response.headers.get('location')).toBe(`/sessions/${accepted.session_id}/events`);
  return accepted;
}

describe('Prefer: respond-async', () => {
  it.each([
    ['/agent/helper/chat', message, {}],
    ['/agent/helper/chat/stream', message, {}],
    ['/awp', run('r1'), { run_id: 'r1' }],
    ['/agent/helper/awp', run('r1'), { run_id: 'r1' }],
  ])('answers %s with 202 while the turn runs; it goes on and its events are at Location', async (path, body, ids) => {
    const { replies, open } = gatedReply();
    const { call, runtime } = await openServer({ replies });
    const response = await call(`POST ${path}`, { body, headers: ASYNC });
    const accepted = await readAccepted(response);
    expect(accepted).toEqual({
      session_id: expect.any(String),
      turn_id: expect.any(String),
      status: 'running',
      ...ids,
    });
    expect(await runtime.activeTurns).toBe(1);
    open();
    const frames = await readFrames(await call(`GET ${response.headers.get('location')}`));
    expect(frames.at(-1)).toMatchObject({ event: 'stream_end', data: { status: 'completed', content: 'Hi.' } });
  });

  it('is stored before it is accepted: the message is there at once', async () => {
    const { call } = await openServer({ replies: gatedReply().replies });
    const { session_id } = await readAccepted(await call('POST /agent/helper/chat', { body: message, headers: ASYNC }));
    expect(await (await call(`GET /sessions/${session_id}`)).json()).toMatchObject({
      turn: { status: 'running' },
      messages: [{ role: 'user', content: 'hello' }],
    });
  });

  it.each([
    ['/agent/helper/chat', message],
    ['/agent/helper/chat/stream', message],
    ['/awp', run('r1')],
  ])('streams %s where events are named, and the turn goes on when the client leaves', async (path, body) => {
    const { replies, open } = gatedReply();
    const { call, runtime, lines } = await openServer({ replies });
    const leaving = new AbortController();
    const headers = { ...ASYNC, ...SSE };
    const response = await call(`POST ${path}`, { body, headers, signal: leaving.signal });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'respond-async']);
    await streamFrames(response).next();
    leaving.abort();
    await expect.poll(() => lines.join('')).toContain('"client_gone":true');
    open();
    await expect.poll(() => runtime.activeTurns).toBe(0);
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: object[] }; // one shape
    expect(sessions).toMatchObject([{ message_count: 2 }]);
  });

  it('of an answer: 202, and the turn continues', async () => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const { call } = await openServer({ replies: [{ calls: [{ name: 'remove' }] }, 'Gone.'], tools: [remove] });
    const waiting = await readAnswer(await call('POST /agent/helper/chat', { body: message }));
    const body = waiting.tool_calls.map(({ id }) => ({ call_id: id, approved: true }));
    const path = `/sessions/${waiting.session_id}`;
    await readAccepted(await call(`POST ${path}/resume`, { body, headers: ASYNC }));
    await expect.poll(async () => (await readAnswer(await call(`GET ${path}`))).turn.status).toBe('completed');
  });

  it('of a turn that has ended under its key reports its end', async () => {
    const { call } = await openServer({ replies: ['Hi.'] });
    const headers = { ...ASYNC, 'idempotency-key': 'k' };
    const { turn_id, session_id } = await readAccepted(
      await call('POST /agent/helper/chat', { body: message, headers }),
    );
    await expect
      .poll(async () => (await readAnswer(await call(`GET /sessions/${session_id}`))).turn.status)
      .toBe('completed');
    const again = await readAccepted(await call('POST /agent/helper/chat', { body: message, headers }));
    expect(again).toEqual({ session_id, turn_id, status: 'completed' });
  });
});

describe('a closed socket on /awp', () => {
  it.each([
    ['stops the turn without a header', {}, 'cancelled'],
    ['leaves it running with an Idempotency-Key', { 'idempotency-key': 'mine' }, 'completed'],
    ['leaves it running with Prefer: respond-async', { prefer: 'respond-async' }, 'completed'],
  ])('%s', async (_name, headers, status) => {
    const { replies, open } = gatedReply();
    const { url, call, runtime, model, lines } = await openServer({ replies });
    const agent = new HttpAgent({
      url: `${url}/awp`,
      headers: { authorization: 'Bearer alice', ...headers },
      threadId: 't',
    });
    agent.addMessage({ id: 'm', role: 'user', content: 'hello' });
    const ended = agent.runAgent().catch(() => {});
    await expect.poll(() => model.requests.length).toBe(1);
    agent.abortRun();
    await ended;
    await expect.poll(() => lines.join('')).toContain('"client_gone":true');
    if (status === 'completed') open();
    await expect.poll(() => runtime.activeTurns).toBe(0);
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one shape
    const session = await readAnswer(await call(`GET /sessions/${sessions[0]?.session_id}`));
    expect(session.turn.status).toBe(status);
  });

  it('keeps (threadId, runId) as its key: another Idempotency-Key is the same run', async () => {
    const { call, model } = await openServer({ replies: ['Hi.'] });
    const ask = async (key: string) =>
      (await call('POST /awp', { body: run('r1'), headers: { 'idempotency-key': key } })).text();
    expect(await ask('one')).toBe(await ask('two'));
    expect(model.requests).toHaveLength(1);
  });
});
