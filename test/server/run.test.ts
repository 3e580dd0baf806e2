import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer, readAnswer, readFrames, streamFrames } from './server.ts';

const RUN = 'POST /agent/helper/run';
const HISTORY = [
  { role: 'user', content: 'My name is Ann.' },
  { role: 'assistant', content: 'Hello Ann.' },
];
const body = { message: 'What is my name?', history: HISTORY };
const withKey = (key: string) => ({ 'idempotency-key': key });

describe('a single call with its history', () => {
  it('is answered from the history that the caller keeps, and no conversation is listed', async () => {
    const { call, model } = await openServer({ replies: ['Ann.', 'Ann.'] });
    const response = await call(RUN, { body });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ content: 'Ann.', status: 'completed' }),
    ]);
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual([
      'My name is Ann.',
      'Hello Ann.',
      'What is my name?',
    ]);
    expect((await readAnswer(await call('GET /sessions'))).sessions).toEqual([]);
    expect((await readAnswer(await call('GET /sessions?q=name'))).sessions).toEqual([]);
  });

  it('is independent of every other call', async () => {
    const { call, model } = await openServer({ replies: ['Ann.', 'I do not know.'] });
    const first = await readAnswer(await call(RUN, { body }));
    const second = await readAnswer(await call(RUN, { body: { message: 'What is my name?' } }));
    expect(model.requests[1]?.messages).toHaveLength(1);
    expect(second.session_id).not.toBe(first.session_id);
  });

  it('streams the events of REST', async () => {
    const { call } = await openServer({ replies: [{ text: 'Ann.' }] });
    const frames = await readFrames(await call(RUN, { body, headers: { accept: 'text/event-stream' } }));
    expect(frames.map(({ event }) => event)).toEqual(['stream_start', 'message_delta', 'stream_end']);
  });

  it('reads files', async () => {
    const { call } = await openServer({ replies: ['Read.'] });
    const files = [{ content: 'YQ==', mime_type: 'text/plain', filename: 'a.txt' }];
    const answer = await readAnswer(await call(RUN, { body: { ...body, files } }));
    expect(answer.files).toMatchObject([{ filename: 'a.txt', verdict: 'read' }]);
  });

  it('with a key runs once, however often it is sent', async () => {
    let runs = 0;
    const count = buildTool({ name: 'count', run: () => ++runs });
    const { call } = await openServer({ replies: [{ calls: [{ name: 'count' }] }, 'Done.'], tools: [count] });
    const [one, two] = await Promise.all([1, 2].map(() => call(RUN, { body, headers: withKey('k') })));
    const three = await call(RUN, { body, headers: withKey('k') });
    const texts = await Promise.all([one, two, three].map((response) => response?.text()));
    expect(new Set(texts).size).toBe(1);
    expect(runs).toBe(1);
    const other = await call(RUN, { body: { ...body, history: [] }, headers: withKey('k') });
    expect([other.status, (await readAnswer(other)).code]).toEqual([422, 'idempotency_mismatch']);
  });

  it('shares no key with another user or another front', async () => {
    const { call } = await openServer({ replies: ['One.', 'Two.', 'Three.'] });
    const same = { body: { message: 'hello' }, headers: withKey('k') };
    const contents = [];
    for (const response of [call(RUN, same), call(RUN, { ...same, as: 'bob' }), call('POST /agent/helper/chat', same)])
      contents.push((await readAnswer(await response)).content);
    expect(contents.toSorted()).toEqual(['One.', 'Three.', 'Two.']);
  });

  it('is denied its approvals, and the model reads why', async () => {
    let runs = 0;
    const remove = buildTool({ name: 'remove', needsApproval: true, run: () => ++runs });
    const { call, model } = await openServer({
      replies: [{ calls: [{ name: 'remove' }] }, 'Denied.'],
      tools: [remove],
    });
    const answer = await readAnswer(await call(RUN, { body }));
    expect([answer.content, runs]).toEqual(['Denied.', 0]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('a program that cannot ask anybody');
  });

  it('stops when its caller leaves', async () => {
    const { call, runtime } = await openServer({ replies: [{ text: 'x', hang: true }] });
    const leave = new AbortController();
    const options = { body, headers: { accept: 'text/event-stream' }, signal: leave.signal };
    await streamFrames(await call(RUN, options)).next();
    expect(runtime.activeTurns).toBe(1);
    leave.abort();
    await expect.poll(() => runtime.activeTurns).toBe(0);
  });

  it.each([
    ['a history that is no list', { message: 'a', history: 7 }, 'history'],
    ['an unknown role', { message: 'a', history: [{ role: 'robot', content: 'x' }] }, 'history[0]'],
    ['a user message without text', { message: 'a', history: [{ role: 'user', content: '' }] }, 'history[0].content'],
    ['an unknown key', { message: 'a', session_id: 'x' }, 'session_id'],
    ['no message', { history: [] }, 'message'],
  ])('is refused with %s', async (_, wrong, path) => {
    const { call } = await openServer({ replies: [] });
    const response = await call(RUN, { body: wrong });
    expect(response.status).toBe(422);
    const { errors } = await readAnswer(response);
    expect(errors.map((error) => ('path' in error ? String(error.path) : ''))).toEqual(
      expect.arrayContaining([expect.stringContaining(path)]),
    );
  });

  it('counts against the rate limit like every turn', async () => {
    const agent = { server: { rate_limit: { turns_per_minute: 1 } } };
    const { call } = await openServer({ replies: () => 'Hi.', agent });
    const statuses = [(await call(RUN, { body })).status, (await call(RUN, { body })).status];
    expect(statuses).toEqual([200, 429]);
  });
});
