import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { User } from '../../src/schema/user.ts';
import { ALICE, BOB, buildTool } from '../build.ts';
import { openServer, readAnswer } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const jwt = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };
/** With authentication and 16 places, a user has 4. */
const server = { auth: { jwt }, max_active_turns: 16, rate_limit: { turns_per_minute: 1_000 } };

/** Bob is answered at once. A turn of Alice runs until it is stopped. */
function open(more: object = {}) {
  const replies = (request: { system: string }) =>
    request.system.includes('"Bob"') ? 'Hi Bob.' : { text: 'Hm', hang: true };
  return openServer({ replies, agent: { server: { ...server, ...more } } });
}

/** Returns the signal of a request; aborting it simulates a client that leaves. */
function stay(): AbortSignal {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  return leaving.signal;
}

const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).toSorted();
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at));

describe('the share of one user', () => {
  it('bounds a flood of detached turns, and another user is let in', async () => {
    const { call, model, runtime } = await open();
    const prefer = { prefer: 'respond-async' };
    const flood = await Promise.all(times(12, () => call(CHAT, { body: { message: 'more' }, headers: prefer })));
    expect(statuses(flood)).toEqual([...times(4, () => 202), ...times(8, () => 429)]);
    const refused = flood.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await readAnswer(refused ?? new Response())).toMatchObject({ code: 'over_capacity' });
    expect((await readAnswer(await call(CHAT, { as: 'bob', body: { message: 'hi' } }))).content).toBe('Hi Bob.');
    await expect.poll(() => model.requests.length).toBe(5);
    // A released place can be taken again.
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // the API's shape
    expect(sessions).toHaveLength(4);
    await call(`POST /sessions/${sessions[0]?.session_id}/cancel`);
    await expect.poll(() => runtime.activeTurns).toBe(3);
    expect((await call(CHAT, { body: { message: 'more' }, headers: prefer })).status).toBe(202);
  });

  it('bounds streams that are held open, followers too, and another user gets one', async () => {
    const { call, runtime } = await open({ max_active_turns_per_user: 16 });
    const { session_id } = await readAnswer(await call(CHAT, { as: 'bob', body: { message: 'hi' } }));
    const body = { message: 'more' };
    const turn = await call('POST /agent/helper/chat/stream', { body, signal: stay() });
    const [own] = await runtime.listConversations(ALICE, { limit: 1 });
    const follow = { signal: stay() };
    const flood = await Promise.all(times(9, () => call(`GET /sessions/${own?.id}/events?follow=1`, follow)));
    expect([turn.status, ...statuses(flood)]).toEqual([200, 200, 200, 200, ...times(6, () => 429)]);
    const run = { threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {} };
    const messages = [{ id: 'm', role: 'user', content: 'more' }];
    const others = [
      await call('POST /agent/helper/chat/stream', { body }),
      await call('POST /awp', { body: { ...run, messages } }),
    ];
    expect(statuses(others)).toEqual([429, 429]);
    // A refused stream has started no turn.
    expect(runtime.activeTurns).toBe(1);
    const theirs = await call(`GET /sessions/${session_id}/events?follow=1`, { as: 'bob', signal: stay() });
    expect(theirs.status).toBe(200);
  });

  it('is free again when streams end or their clients leave', async () => {
    const { call } = await open({ max_streams_per_user: 1 });
    const stream = (signal?: AbortSignal) =>
      call('POST /agent/helper/chat/stream', { as: 'bob', body: { message: 'hi' }, ...(signal && { signal }) });
    for (const _ of [1, 2, 3]) expect(await (await stream()).text()).toContain('Hi Bob.');
    const leaving = new AbortController();
    const first = await call('POST /agent/helper/chat/stream', { body: { message: 'hi' }, signal: leaving.signal });
    expect(first.status).toBe(200);
    expect((await call('POST /agent/helper/chat/stream', { body: { message: 'hi' } })).status).toBe(429);
    leaving.abort();
    const again = () => call('POST /agent/helper/chat/stream', { body: { message: 'hi' }, signal: stay() });
    await expect.poll(async () => (await again()).status).toBe(200);
  });

  it('counts turns that ask a question', async () => {
    const asking = buildTool({ run: async (_args, { ask }) => ask({ text: 'Which one?' }) });
    const isBobs = (request: { system: string }) => request.system.includes('"Bob"');
    const { call } = await openServer({
      replies: (request) => (isBobs(request) ? 'Hi Bob.' : { calls: [{ name: 'echo' }] }),
      tools: [asking],
      agent: { server: { ...server, max_active_turns_per_user: 2 } },
    });
    const ask = async (as = 'alice') => (await call(CHAT, { as, body: { message: 'hello' } })).status;
    expect([await ask(), await ask(), await ask(), await ask('bob')]).toEqual([200, 200, 429, 200]);
  });

  it('bounds bodies that are being sent, and another user is read', async () => {
    const { call, port } = await open();
    const head = [
      'POST /agent/helper/chat HTTP/1.1',
      'host: localhost',
      'authorization: Bearer alice',
      'content-type: application/json',
      'content-length: 1000',
    ];
    const sockets = times(4, () => connect(port, '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    for (const socket of sockets) socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    const body = { message: 'hi' };
    await expect.poll(async () => (await call(CHAT, { body: '{' })).status).toBe(429);
    expect((await call(CHAT, { as: 'bob', body })).status).toBe(200);
    sockets[0]?.destroy();
    await expect.poll(async () => (await call(CHAT, { body: '{' })).status).toBe(400);
  });

  it('reads no body of a user whose turns of the minute are used up', async () => {
    const { call, port } = await open({ rate_limit: { turns_per_minute: 1 } });
    await call(CHAT, { as: 'bob', body: { message: 'hi' } });
    const head = `POST /agent/helper/chat HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer bob\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{`;
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(head);
    const { value: answer } = await socket[Symbol.asyncIterator]().next();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 429[\s\S]*rate_limited/);
  });
});

describe('without authentication', () => {
  it('the only user may have every place', async () => {
    const { call } = await openServer({
      replies: () => ({ text: 'Hm', hang: true }),
      agent: { server: { max_active_turns: 16 } },
      app: { identify: (): User => BOB },
    });
    const headers = { prefer: 'respond-async' };
    const flood = await Promise.all(times(18, () => call(CHAT, { body: { message: 'more' }, headers })));
    expect(statuses(flood)).toEqual([...times(16, () => 202), 429, 429]);
  });
});
