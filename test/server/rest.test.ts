import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ulidToUuid } from '../../src/schema/ids.ts';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, readFrames, serveRuntime, streamFrames } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const STREAM = 'POST /agent/helper/chat/stream';
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };
const remove = buildTool({ name: 'remove', needsApproval: true, run: () => 'removed' });
const askToRemove = { text: 'Well. ', calls: [{ name: 'remove', arguments: { text: 'a' } }] };

describe('POST /agent/{name}/chat', () => {
  it('answers with the whole turn, and continues its session', async () => {
    const { call, model } = await openServer({ replies: [callEcho, 'Done.', 'Again.'] });
    const first = await readAnswer(await call(CHAT, { body: { message: 'hello' } }));
    expect(first).toMatchObject({ status: 'completed', content: 'Done.', tool_calls: [{ status: 'success' }] });
    const body = { message: 'again', session_id: ulidToUuid(first.session_id) };
    expect(await readAnswer(await call(CHAT, { body }))).toMatchObject({
      content: 'Again.',
      session_id: first.session_id,
    });
    expect(model.requests).toHaveLength(3);
  });

  it.each([
    ['an empty message', { message: ' ' }, 422, 'message'],
    ['no message', {}, 422, 'message'],
    ['a field that is not known', { message: 'a', extra: 1 }, 422, 'extra'],
    ['a malformed session', { message: 'a', session_id: 'x' }, 422, 'session_id'],
    [
      'a file of a type that is not read',
      { message: 'a', files: [{ content: 'YQ==', mime_type: 'x/y' }] },
      422,
      'files[0].mime_type',
    ],
    [
      'a file that is not base64',
      { message: 'a', files: [{ content: '***', mime_type: 'text/plain' }] },
      422,
      'files[0].content',
    ],
    [
      'a file without a message',
      { message: ' ', files: [{ content: 'YQ==', mime_type: 'text/plain' }] },
      422,
      'message',
    ],
  ])('refuses %s with the path of the fault', async (_name, body, status, path) => {
    const { call, runtime } = await openServer({ replies: [] });
    const response = await call(CHAT, { body });
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const problem = await readAnswer(response);
    expect(problem).toMatchObject({ status, errors: [{ path }] });
    expect(problem.type).toBe(`https://holodeck.dev/errors/${problem.code}`);
    expect(runtime.activeTurns).toBe(0);
  });

  it.each([
    ['text', 'text/plain', 'hello', 415, 'unsupported_media_type'],
    ['broken JSON', 'application/json', '{"message"', 400, 'malformed_body'],
    ['nothing', 'application/json', '', 422, 'invalid_request'],
    ['poisoned JSON', 'application/json', '{"__proto__":{"a":1},"message":"a"}', 400, 'malformed_body'],
    ['deep JSON', 'application/json', `${'['.repeat(100)}${']'.repeat(100)}`, 400, 'malformed_body'],
  ])('refuses %s', async (_name, type, body, status, code) => {
    const { call } = await openServer({ replies: [] });
    const response = await call(CHAT, { body, headers: { 'content-type': type } });
    expect([response.status, (await readAnswer(response)).code]).toEqual([status, code]);
  });

  it('takes one turn at a time', async () => {
    const { call, runtime } = await openServer({ replies: [{ text: 'x', hang: true }] });
    const stream = await call(STREAM, { body: { message: 'hello' } });
    const frames = streamFrames(stream);
    const start = (await frames.next()).value;
    const body = { message: 'again', session_id: start?.data.session_id };
    const second = await call(CHAT, { body });
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    const cancelled = await call(`POST /sessions/${start?.data.session_id}/cancel`);
    expect(await readAnswer(cancelled)).toMatchObject({ cancelled: true, turn: { status: 'cancelled' } });
    expect(runtime.activeTurns).toBe(0);
  });
});

describe('POST /agent/{name}/chat/stream', () => {
  it('sends the turn in order, every frame with its own id', async () => {
    const { call } = await openServer({ replies: [callEcho, { text: ['Do', 'ne.'] }] });
    const frames = await readFrames(await call(STREAM, { body: { message: 'hello' } }));
    expect(frames.map((frame) => frame.event)).toEqual([
      'stream_start',
      'tool_call_start',
      'tool_call_args',
      'tool_call_end',
      'message_delta',
      'stream_end',
    ]);
    expect(new Set(frames.map((frame) => frame.id)).size).toBe(frames.length);
    expect(frames.at(-1)?.data).toMatchObject({ content: 'Done.', session_id: frames[0]?.data.session_id });
  });

  it('ends with an error frame when the model fails', async () => {
    const { call } = await openServer({ replies: [{ error: new Error('secret detail') }] });
    const frames = await readFrames(await call(STREAM, { body: { message: 'hello' } }));
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { status: 'error', error: { code: 'internal' } } });
    expect(JSON.stringify(frames)).not.toContain('secret detail');
  });

  it('stops the model when the client leaves, and continues if asked to', async () => {
    const { call, runtime } = await openServer({
      replies: [
        { text: 'x', hang: true },
        { text: 'y', hang: true },
      ],
    });
    const leaving = new AbortController();
    const stream = await call(STREAM, { body: { message: 'hello' }, signal: leaving.signal });
    await streamFrames(stream).next();
    leaving.abort();
    await expect.poll(() => runtime.activeTurns).toBe(0);

    const again = new AbortController();
    const headers = { prefer: 'respond-async', accept: 'text/event-stream' };
    const kept = await call(STREAM, { body: { message: 'hello' }, headers, signal: again.signal });
    const start = (await streamFrames(kept).next()).value;
    again.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(runtime.activeTurns).toBe(1);
    await call(`POST /sessions/${start?.data.session_id}/cancel`);
  });

  it('answers the same key with the same turn', async () => {
    const { call, model } = await openServer({ replies: ['One.'] });
    const request = { body: { message: 'hello' }, headers: { 'idempotency-key': 'k1' } };
    const [first, second] = [
      await readFrames(await call(STREAM, request)),
      await readFrames(await call(STREAM, request)),
    ];
    expect(second.at(-1)).toEqual(first.at(-1));
    expect(model.requests).toHaveLength(1);
    const other = await call(CHAT, { ...request, body: { message: 'bye' } });
    expect([other.status, (await readAnswer(other)).code]).toEqual([422, 'idempotency_mismatch']);
  });
});

describe('sessions', () => {
  it('lists own sessions newest first, page by page, with titles', async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    for (const message of ['one', 'two', 'three']) await call(CHAT, { body: { message } });
    const page = await readAnswer(await call('GET /sessions?limit=2'));
    expect(page.sessions.map((session) => session.title)).toEqual(['three', 'two']);
    const rest = await readAnswer(await call(`GET /sessions?limit=2&before=${page.next_before}`));
    expect(rest).toMatchObject({ sessions: [{ title: 'one', state: 'active' }] });
    expect(rest.next_before).toBeUndefined();
    expect((await call('GET /sessions?limit=0')).status).toBe(422);
  });

  it('shows the history, and deletes it with everything in it, more than once', async () => {
    const { call } = await openServer({ replies: [callEcho, 'Done.'] });
    const { session_id: id } = await readAnswer(await call(CHAT, { body: { message: 'hello' } }));
    const session = await readAnswer(await call(`GET /sessions/${id}`));
    expect(session.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(session.turn.status).toBe('completed');
    expect((await call(`DELETE /sessions/${id}`)).status).toBe(204);
    expect((await call(`DELETE /sessions/${id}`)).status).toBe(204);
    expect((await call(`GET /sessions/${id}`)).status).toBe(404);
  });

  it('cancels a running turn before it deletes', async () => {
    const { call, runtime } = await openServer({ replies: [{ text: 'x', hang: true }] });
    const frames = streamFrames(await call(STREAM, { body: { message: 'hello' } }));
    const start = (await frames.next()).value;
    expect((await call(`DELETE /sessions/${start?.data.session_id}`)).status).toBe(204);
    expect(runtime.activeTurns).toBe(0);
    const rest: string[] = [];
    for await (const frame of frames) rest.push(frame.event);
    expect(rest.at(-1)).toBe('stream_end');
  });
});

describe('POST /sessions/{id}/resume', () => {
  it('continues a waiting turn at its position', async () => {
    const { call } = await openServer({ replies: [askToRemove, 'Removed.'], tools: [remove] });
    const frames = await readFrames(await call(STREAM, { body: { message: 'remove a' } }));
    const request = frames.find((frame) => frame.event === 'approval_request');
    expect(frames.at(-1)).toMatchObject({ event: 'stream_end', data: { status: 'waiting', finish_reason: 'waiting' } });
    const id = frames[0]?.data.session_id;
    const busy = await call(CHAT, { body: { message: 'hello?', session_id: id } });
    expect([busy.status, (await readAnswer(busy)).code]).toEqual([409, 'awaiting_input']);
    const wrong = await call(`POST /sessions/${id}/resume`, { body: [{ call_id: 'x', approved: true }] });
    expect(wrong.status).toBe(422);
    const body = [{ call_id: request?.data.call_id, approved: true }];
    const headers = { accept: 'text/event-stream' };
    const rest = await readFrames(await call(`POST /sessions/${id}/resume`, { body, headers }));
    expect(rest.map((frame) => frame.event)).toEqual(['tool_call_end', 'message_delta', 'stream_end']);
    expect((await call(`POST /sessions/${id}/resume`, { body })).status).toBe(422);
  });

  it('names the ids in a request for approval, from earlier results', async () => {
    const list = buildTool({ name: 'list', run: () => [{ id: 'a', title: 'call mom' }] });
    const replies = [{ calls: [{ name: 'list', arguments: {} }] }, askToRemove];
    const { call } = await openServer({ replies, tools: [remove, list] });
    const frames = await readFrames(await call(STREAM, { body: { message: 'remove a' } }));
    expect(frames.find((frame) => frame.event === 'approval_request')?.data).toMatchObject({
      names: [{ name: 'call mom', tool: 'list' }],
    });
  });

  it('takes the same answers once under one key', async () => {
    const { call, model } = await openServer({ replies: [askToRemove, 'Removed.'], tools: [remove] });
    const waiting = await readAnswer(await call(CHAT, { body: { message: 'remove a' } }));
    expect(waiting.tool_calls).toMatchObject([{ state: 'waiting', status: 'waiting' }]);
    const request = {
      body: [{ call_id: waiting.tool_calls[0]?.id, approved: true }],
      headers: { 'idempotency-key': 'answer' },
    };
    const path = `POST /sessions/${waiting.session_id}/resume`;
    const [first, second] = [await readAnswer(await call(path, request)), await readAnswer(await call(path, request))];
    expect(first.content).toBe('Removed.');
    expect(second).toEqual(first);
    expect(model.requests).toHaveLength(2);
  });

  it('lets a waiting turn be cancelled', async () => {
    const { call } = await openServer({ replies: [askToRemove, 'Next.'], tools: [remove] });
    const { session_id } = await readAnswer(await call(CHAT, { body: { message: 'remove a' } }));
    expect(await readAnswer(await call(`POST /sessions/${session_id}/cancel`))).toMatchObject({
      cancelled: true,
      turn: { status: 'cancelled' },
    });
    const next = await readAnswer(await call(CHAT, { body: { message: 'go on', session_id } }));
    expect(next.content).toBe('Next.');
  });
});

describe('agents, health and the rest', () => {
  it('lists the abilities of an agent', async () => {
    const domain = { name: 'stock', display_name: 'Stock', description: 'What is there', mcp_tools: ['x'] };
    const agent = { domains: [domain, { ...domain, name: 'old', enabled: false }] };
    const { call } = await openServer({ replies: [], agent, tools: [remove] });
    const { domains } = await readAnswer(await call('GET /agent/helper/domains'));
    expect(domains.map((one) => one.name)).toEqual(['stock']);
    expect(await readAnswer(await call('GET /agent/helper/tools'))).toMatchObject({
      agent: 'helper',
      tools: [{ name: 'remove', needs_approval: true }],
      servers: [{ name: 'test', state: 'ready' }],
    });
    expect((await call('GET /agent/nobody/tools')).status).toBe(404);
  });

  it('reports its health, and nothing more to strangers', async () => {
    const { call, port } = await openServer({ replies: [] });
    expect(await readAnswer(await call('GET /health', { as: 'nobody' }))).toMatchObject({
      status: 'healthy',
      agent_name: 'helper',
      agents: [{ name: 'helper', ready: true }],
    });
    expect(await (await call('GET /health')).text()).toMatch(/"uptime_seconds":\d+(\.\d{1,3})?,/);
    expect(await rawGet(port, '/health', 'evil.example')).toMatch(/\r\n\r\n\{"status":"healthy"\}$/);
    expect(await rawGet(port, '/sessions', 'evil.example')).toContain('421 Misdirected Request');
    expect(await readAnswer(await call('GET /ready'))).toEqual({ ready: true });
  });

  it('answers an unknown path with 404 and a wrong method with 405', async () => {
    const { call } = await openServer({ replies: [] });
    expect((await call('GET /nothing')).status).toBe(404);
    const wrong = await call(`PUT /sessions/${newUlid()}`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PATCH, DELETE']);
  });
});

async function rawGet(port: number, path: string, host: string): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer alice\r\nconnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('health', () => {
  const told = (code: number, status: string, ready: boolean, reason = {}) => [
    code,
    expect.objectContaining({ status, agent_ready: ready, ...reason }),
    code,
    { ready, ...reason },
  ];

  it('a server whose disk lost something is neither healthy nor ready', async () => {
    const folder = temporaryFolder();
    let problem: AppError | undefined;
    const store = { ...createSqliteStore({ folder }), findProblem: () => problem };
    const runtime = await createRuntime({ agents: [buildAgent()], folder, store, model: createScriptedModel([]) });
    const { call } = await serveRuntime(runtime);
    const ask = async () => {
      const [health, ready] = [await call('GET /health'), await call('GET /ready')];
      return [health.status, await readAnswer(health), ready.status, await readAnswer(ready)];
    };
    expect(await ask()).toEqual(told(200, 'healthy', true));
    problem = new AppError('store_unavailable', { detail: 'The disk did not keep it.' });
    expect(await ask()).toEqual(told(503, 'unhealthy', false, { reason: 'The disk did not keep it.' }));
    await runtime.stop();
  });
});
