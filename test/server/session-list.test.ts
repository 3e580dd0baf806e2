import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE, buildAgent } from '../build.ts';
import { openRuntime, temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, type SseFrame, serveRuntime, streamFrames } from './server.ts';

type Call = Awaited<ReturnType<typeof openServer>>['call'];

const CHAT = 'POST /agent/helper/chat';
const chat = async (call: Call, message: string, more = {}) =>
  (await readAnswer(await call(CHAT, { body: { message, ...more } }))).session_id;

interface Listed {
  sessions: { session_id: string; title: string; pinned: boolean; status: string; preview?: string }[];
  next_before?: string;
}
const list = async (call: Call, query = '', as = 'alice') =>
  (await (await call(`GET /sessions${query}`, { as })).json()) as Listed; // as openapi.test.ts checks it

describe('GET /sessions?q=', () => {
  it('finds own conversations by their words, with a preview, page by page', async () => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const ids = [await chat(call, 'Crème for the café'), await chat(call, 'more creme'), await chat(call, 'tea')];
    const found = await list(call, '?q=CREM');
    expect(found.sessions.map(({ session_id, preview }) => [session_id, preview])).toEqual([
      [ids[1], 'more creme'],
      [ids[0], 'Crème for the café'],
    ]);
    const first = await list(call, '?q=crem&limit=1');
    expect(first.next_before).toBe(ids[1]);
    expect((await list(call, `?q=crem&limit=1&before=${first.next_before}`)).sessions[0]?.session_id).toBe(ids[0]);
    expect((await list(call, '?q=creme', 'bob')).sessions).toEqual([]);
    expect((await list(call, '?q=')).sessions).toHaveLength(3);
  });

  it.each(['%22', 'a%20NEAR(b)', '%27%20OR%201=1--', '*', '-a', 'text:x', '%00', '%ff', '%F0%9F%91%8D'])(
    'answers q=%s without a failure',
    async (q) => {
      const { call } = await openServer({ replies: () => 'Done.' });
      await chat(call, 'hello');
      expect(await list(call, `?q=${q}`)).toEqual({ sessions: [] });
    },
  );

  it('refuses a question of 201 characters', async () => {
    const { call } = await openServer({ replies: [] });
    expect((await call(`GET /sessions?q=${'a'.repeat(201)}`)).status).toBe(422);
  });
});

describe('PATCH /sessions/{id}', () => {
  it('renames and pins, and null brings the first title back', async () => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const id = await chat(call, 'buy milk');
    const patch = async (body: object) => (await call(`PATCH /sessions/${id}`, { body })).json();
    expect(await patch({ title: 'Groceries' })).toMatchObject({ session_id: id, title: 'Groceries', pinned: false });
    expect(await patch({ pinned: true })).toMatchObject({ title: 'Groceries', pinned: true, status: 'completed' });
    expect((await list(call)).sessions[0]).toMatchObject({ title: 'Groceries', pinned: true });
    expect(await patch({ title: null, pinned: false })).toMatchObject({ title: 'buy milk', pinned: false });
  });

  it.each([
    ['a\u202eb\u0000c\u001b[31m\r\n  d\u200b', 'abc d'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    [`${'😀'.repeat(100)}`, '😀'.repeat(100)],
  ])('keeps %j as one clean line', async (title, expected) => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const id = await chat(call, 'hello');
    expect(await (await call(`PATCH /sessions/${id}`, { body: { title } })).json()).toMatchObject({ title: expected });
  });

  it("sets the user's own values, on a new conversation and later", async () => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const body = { message: 'buy milk', metadata: { ticket: 'A-7', tags: ['x'] } };
    const { session_id: id } = await readAnswer(await call('POST /agent/helper/chat', { body }));
    const read = async () => (await call(`GET /sessions/${id}`)).json();
    expect(await read()).toMatchObject({ metadata: { title: 'buy milk', ticket: 'A-7', tags: ['x'] } });
    const patch = (metadata: object) => call(`PATCH /sessions/${id}`, { body: { metadata } });
    const changed = await (await patch({ ticket: 'B-8' })).json();
    expect(changed).toHaveProperty('metadata', { title: 'buy milk', ticket: 'B-8' });
    await call('POST /agent/helper/chat', { body: { message: 'and eggs', session_id: id } });
    expect(await read()).toHaveProperty('metadata', { title: 'buy milk', ticket: 'B-8' });
    const late = { message: 'more', session_id: id, metadata: { ticket: 'C' } };
    expect((await call('POST /agent/helper/chat', { body: late })).status).toBe(422);
  });

  it.each([
    ['title', { title: 'forged' }],
    ['spaces', { spaces: { query_space_x: 'of another user' } }],
    ['domains_accessed', { domains_accessed: ['x'] }],
    ['forked_from', { forked_from: { session_id: 'x' } }],
    ['a long value', { note: 'x'.repeat(4_001) }],
    ['many keys', Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, 1]))],
    ['an odd key', { 'a b': 1 }],
    ['a text', 'x'],
  ])('refuses metadata with %s, on a new conversation and later', async (_what, metadata) => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const created = await call('POST /agent/helper/chat', { body: { message: 'hello', metadata } });
    const id = await chat(call, 'hello');
    const changed = await call(`PATCH /sessions/${id}`, { body: { metadata } });
    expect([created.status, changed.status]).toEqual([422, 422]);
    expect((await list(call)).sessions).toMatchObject([{ metadata: { title: 'hello' } }]);
  });

  it.each([
    [{ title: '' }],
    [{ title: ' \u200b\u2060 ' }],
    [{ title: 'a'.repeat(201) }],
    [{ title: 7 }],
    [{ pinned: 'yes' }],
    [{ agent: 'x' }],
    ['not JSON'],
    [[]],
  ])('refuses %j', async (body) => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const id = await chat(call, 'hello');
    expect([400, 422]).toContain((await call(`PATCH /sessions/${id}`, { body })).status);
    expect((await list(call)).sessions[0]).toMatchObject({ title: 'hello', pinned: false });
  });
});

describe('GET /sessions/events?follow=1', () => {
  async function watch(call: Call, as = 'alice') {
    const left = new AbortController();
    const response = await call('GET /sessions/events?follow=1', { as, signal: left.signal });
    const frames = streamFrames(response);
    const next = async (isWanted: (frame: SseFrame) => boolean): Promise<SseFrame['data']> => {
      for (let read = await frames.next(); !read.done; read = await frames.next())
        if (isWanted(read.value)) return read.value.data;
      throw new Error('the stream ended');
    };
    return { next, left };
  }
  const about =
    (id: string, parts: object) =>
    ({ data }: SseFrame) =>
      JSON.stringify(data).includes(id) && Object.entries(parts).every(([key, value]) => findIn(data, key) === value);
  const findIn = (data: Record<string, unknown>, key: string) =>
    key === 'type' ? data.type : (data.session as Record<string, unknown>)[key]; // every frame has a session

  it('sends what is created, renamed, answered and deleted, to its user only', async () => {
    const { call } = await openServer({ replies: () => 'Done.' });
    const { next, left } = await watch(call);
    const bob = await watch(call, 'bob');
    const id = await chat(call, 'hello');
    expect(await next(about(id, { type: 'created' }))).toMatchObject({ session: { session_id: id, title: 'hello' } });
    await call(`PATCH /sessions/${id}`, { body: { title: 'Renamed' } });
    await next(about(id, { type: 'updated', title: 'Renamed', status: 'completed' }));
    await call(`DELETE /sessions/${id}`);
    expect(await next(about(id, { type: 'deleted' }))).toEqual({ type: 'deleted', session: { session_id: id } });
    const own = (await readAnswer(await call(CHAT, { as: 'bob', body: { message: 'mine' } }))).session_id;
    expect(await bob.next(() => true)).toMatchObject({ session: { session_id: own } });
    left.abort();
    bob.left.abort();
  });

  it('sends the turn of another process on the same data', async () => {
    const folder = temporaryFolder();
    const { runtime } = await openRuntime({ replies: () => 'Done.', folder });
    const { call } = await serveRuntime(runtime);
    const { next, left } = await watch(call);
    const other = await openRuntime({ replies: () => 'Done.', folder });
    const turn = await other.runtime.chat(ALICE, { agent: 'helper', message: 'from elsewhere' });
    for await (const _ of turn.events);
    await next(about(turn.conversationId, { title: 'from elsewhere', status: 'completed' }));
    left.abort();
  });

  it('ends at once without follow=1', async () => {
    const { call } = await openServer({ replies: [] });
    const response = await call('GET /sessions/events');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });
});

describe('session state', () => {
  it('a conversation is idle after the session_ttl_seconds of its own agent', async () => {
    const agents = [60, 6_000].map((seconds) =>
      buildAgent({ name: `ttl-${seconds}`, server: { session_ttl_seconds: seconds } }),
    );
    const model = createScriptedModel(['Hello.', 'Hello.']);
    const runtime = await createRuntime({ agents, folder: temporaryFolder(), model });
    onTestFinished(() => runtime.stop());
    const later = { ...systemClock, date: () => new Date(Date.now() + 600_000) };
    const { call } = await serveRuntime(runtime, { clock: later });
    for (const { name } of agents) await (await call(`POST /agent/${name}/chat`, { body: { message: 'hi' } })).json();
    expect(await (await call('GET /sessions')).json()).toMatchObject({
      sessions: [
        { agent: 'ttl-6000', state: 'active' },
        { agent: 'ttl-60', state: 'idle' },
      ],
    });
  });
});
