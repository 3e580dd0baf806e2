import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { buildTool } from '../build.ts';
import { openInterrupted, openServer } from './server.ts';

interface Listed extends Record<string, unknown> {
  id: string;
  user_message: { id: string };
  result: { message_id: string; content: string };
}

async function listTurns(call: Awaited<ReturnType<typeof openServer>>['call'], id: string, query = '') {
  const response = await call(`GET /sessions/${id}/turns${query}`);
  const { turns } = (await response.json()) as { turns: Listed[] }; // each test compares the fields that it reads
  return turns;
}

const callEcho = { text: 'Let me look. ', calls: [{ name: 'echo', arguments: { text: 'a' } }] };
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('GET /sessions/{id}/turns', () => {
  it('gives the question, the run, the times and the id of the answer', async () => {
    const { call } = await openServer({ replies: [callEcho, 'Done.'] });
    const body = { threadId: 't', runId: 'run 1', messages: [{ id: 'm 1', role: 'user', content: 'hello' }] };
    await (await call('POST /awp', { body })).text();
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] };
    const [turn] = await listTurns(call, sessions[0]?.session_id ?? '', '?last=1');
    expect(turn).toMatchObject({
      status: 'completed',
      run_id: 'run 1',
      started_at: time,
      ended_at: time,
      user_message: { id: expect.any(String), client_id: 'm 1', content: 'hello' },
      result: {
        content: 'Done.',
        message_id: expect.any(String),
        tool_calls: [{ name: 'echo', started_at: time, completed_at: time, duration_ms: expect.any(Number) }],
      },
    });
    expect(Object.keys(turn ?? {})).not.toEqual(expect.arrayContaining(['partial']));
    expect(Date.parse(String(turn?.ended_at))).toBeGreaterThanOrEqual(Date.parse(String(turn?.started_at)));
  });

  it('gives the kept text and the calls of an interrupted turn', async () => {
    const replies = [callEcho, { text: 'Half of an ans', hang: true }];
    const { call, id } = await openInterrupted({ replies, later: [] });
    const [turn] = await listTurns(call, id);
    expect(turn).toMatchObject({
      status: 'interrupted',
      run_id: 'run 1',
      partial: 'Half of an ans',
      user_message: { client_id: 'm 1', content: 'hello' },
      calls: [{ name: 'echo', state: 'completed', status: 'success', result: { text: 'a' }, started_at: time }],
    });
    expect([turn?.ended_at, turn?.result]).toEqual([undefined, undefined]);
  });

  it('needs no events for a turn that has ended', async () => {
    const { call, folder } = await openServer({ replies: ['Done.'] });
    const answer = await call('POST /agent/helper/chat', { body: { message: 'hello' } });
    const { session_id: id } = (await answer.json()) as { session_id: string }; // of a ChatResponse
    const before = await listTurns(call, id);
    const database = new DatabaseSync(join(folder, 'holodeck.db'));
    database.exec('DELETE FROM events');
    database.close();
    expect(await listTurns(call, id)).toEqual(before);
    expect(before).toMatchObject([{ ended_at: time, user_message: { content: 'hello' } }]);
  });

  it('gives files of the question, and the answers of messages from before the first run', async () => {
    const { call } = await openServer({ replies: ['Done.'] });
    const messages = [
      { id: 'm 0', role: 'user', content: 'earlier' },
      { id: 'm 1', role: 'assistant', content: 'An earlier answer.' },
      { id: 'm 2', role: 'user', content: 'now' },
    ];
    await (await call('POST /awp', { body: { threadId: 't', runId: 'r', messages } })).text();
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] };
    const id = sessions[0]?.session_id ?? '';
    const files = [
      { content: Buffer.from('two lines').toString('base64'), mime_type: 'text/plain', filename: 'n.txt' },
    ];
    await call('POST /agent/helper/chat', { body: { message: 'read it', session_id: id, files } });
    const turns = await listTurns(call, id);
    expect(turns).toMatchObject([
      { user_message: { content: 'read it', files: [{ filename: 'n.txt' }] } },
      { user_message: { content: 'now' }, result: { content: 'Done.' } },
      { attempt: 0, user_message: { content: 'earlier' }, result: { content: 'An earlier answer.' } },
    ]);
  });
});

describe('PUT /sessions/{id}/messages/{message}/feedback', () => {
  it('stores a comment without control characters and reordering', async () => {
    const { call } = await openServer({ replies: ['Done.'] });
    const response = await call('POST /agent/helper/chat', { body: { message: 'hello' } });
    const { session_id, message_id } = (await response.json()) as { session_id: string; message_id: string };
    const body = { rating: 'up', comment: 'a\u0000\u202eb\u001b[31m\nc' };
    const rated = await call(`PUT /sessions/${session_id}/messages/${message_id}/feedback`, { body });
    expect(await rated.json()).toEqual({ rating: 'up', comment: 'ab\nc' });
  });

  async function openAnswered() {
    const { call } = await openServer({ replies: [callEcho, 'Done.'], tools: [buildTool()] });
    const answer = await call('POST /agent/helper/chat', { body: { message: 'hello' } });
    const { session_id: id, message_id } = (await answer.json()) as { session_id: string; message_id: string };
    const rate = (body: unknown, path = `/sessions/${id}/messages/${message_id}/feedback`, as = 'alice') =>
      call(`PUT ${path}`, { body, as });
    const shown = async () => {
      const [turn] = await listTurns(call, id);
      const session = (await (await call(`GET /sessions/${id}`)).json()) as { messages: Record<string, unknown>[] };
      return [turn?.feedback, session.messages.find((message) => message.id === message_id)?.feedback];
    };
    return { call, id, message_id, rate, shown };
  }

  it('is shown with the turn and with the message, replaced by the next one, and taken back', async () => {
    const { rate, shown } = await openAnswered();
    const up = { rating: 'up', comment: 'Well done.' };
    const response = await rate(up);
    expect([response.status, await response.json()]).toEqual([200, up]);
    expect(await shown()).toEqual([up, up]);
    await rate({ rating: 'down' });
    expect(await shown()).toEqual([{ rating: 'down' }, { rating: 'down' }]);
    await rate({ rating: null });
    expect(await shown()).toEqual([undefined, undefined]);
  });

  it.each([
    ['another rating', { rating: 'best' }, 422],
    ['no rating', { comment: 'x' }, 422],
    ['a long comment', { rating: 'up', comment: 'x'.repeat(2_001) }, 422],
    ['an unknown key', { rating: 'up', user_id: 'x' }, 422],
    ['no body', undefined, 422],
    ['a list', [], 422],
  ])('refuses %s', async (_name, body, status) => {
    const { rate, shown } = await openAnswered();
    expect((await rate(body)).status).toBe(status);
    expect(await shown()).toEqual([undefined, undefined]);
  });

  it('is only for answers of this conversation and its user', async () => {
    const { call, id, message_id, rate, shown } = await openAnswered();
    const [turn] = await listTurns(call, id);
    const question = turn?.user_message.id;
    const up = { rating: 'up' };
    const statuses = await Promise.all([
      rate(up, `/sessions/${id}/messages/${question}/feedback`),
      rate(up, `/sessions/${id}/messages/${newUlid()}/feedback`),
      rate(up, `/sessions/${id}/messages/..%2f..%2fx/feedback`),
      rate(up, `/sessions/${newUlid()}/messages/${message_id}/feedback`),
      rate(up, `/sessions/${id}/messages/${message_id}/feedback`, 'bob'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await shown()).toEqual([undefined, undefined]);
  });
});
