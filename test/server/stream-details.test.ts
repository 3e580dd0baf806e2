import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { openServer, readAnswer, readFrames } from './server.ts';

const STREAM = 'POST /agent/helper/chat/stream';
const message = { message: 'hello' };
const run = (runId: string, parts: object = {}) => ({
  threadId: 't',
  runId,
  messages: [{ id: 'm', role: 'user', content: 'hello' }],
  ...parts,
});

describe('the data of an event', () => {
  it('names its kind, as `event:` does', async () => {
    const { call } = await openServer({ replies: [{ calls: [{ name: 'echo', arguments: { text: 'a' } }] }, 'Hi.'] });
    const frames = await readFrames(await call(STREAM, { body: message }));
    expect(frames.length).toBeGreaterThan(4);
    expect(frames.map(({ data }) => data.type)).toEqual(frames.map(({ event }) => event));
  });

  it('of a turn that failed does, too', async () => {
    const { call } = await openServer({ replies: [{ error: new Error('no') }] });
    const frames = await readFrames(await call(STREAM, { body: message }));
    expect(frames.at(-1)?.data).toMatchObject({ type: 'error', status: 'error' });
  });
});

describe('GET /sessions/{id}/events', () => {
  it('answers 204 when nothing is left, so that an EventSource stops asking', async () => {
    const { call } = await openServer({ replies: ['One.', 'Two.'] });
    const frames = await readFrames(await call(STREAM, { body: message }));
    const path = `/sessions/${frames[0]?.data.session_id}/events`;
    const restAfter = (id: string | undefined, query = '') =>
      call(`GET ${path}${query}`, { headers: { 'last-event-id': String(id) } });
    const rest = await restAfter(frames.at(-1)?.id);
    expect([rest.status, await rest.text()]).toEqual([204, '']);
    expect((await restAfter(frames.at(-1)?.id, '?format=ag-ui')).status).toBe(204);
    expect((await readFrames(await restAfter(frames.at(-2)?.id))).map(({ event }) => event)).toEqual(['stream_end']);
    await call(STREAM, { body: { ...message, session_id: frames[0]?.data.session_id } }).then(readFrames);
    const next = await restAfter(frames.at(-1)?.id);
    expect([next.status, (await readFrames(next)).at(-1)?.data.content]).toEqual([200, 'Two.']);
  });

  it('answers HEAD at once, also of a turn that runs', async () => {
    const { call } = await openServer({ replies: [{ text: 'x', hang: true }] });
    const accepted = await readAnswer(await call(STREAM, { body: message, headers: { prefer: 'respond-async' } }));
    const path = `/sessions/${accepted.session_id}/events`;
    for (const query of ['', '?follow=1']) {
      const head = await call(`HEAD ${path}${query}`);
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    expect((await call('HEAD /sessions/01ARZ3NDEKTSV4RRFFQ69G5FAV/events')).status).toBe(404);
    await call(`POST /sessions/${accepted.session_id}/cancel`);
  });
});

describe('reasoning over AG-UI', () => {
  const replies = () => ({ reasoning: 'Hm.', text: 'Hi.' });
  const typesOf = async (response: Response) => (await readFrames(response)).map(({ data }) => String(data.type));

  it.each([
    ['is sent unless it is switched off', {}, {}, true],
    ['is left out for server.agui_reasoning: false', { server: { agui_reasoning: false } }, {}, false],
    ['is left out for forwardedProps.reasoning: false', {}, { forwardedProps: { reasoning: false } }, false],
    ['stays for other forwardedProps', {}, { forwardedProps: { reasoning: 'much', theme: 'dark' } }, true],
  ])('%s', async (_name, agent, parts, isSent) => {
    const { call } = await openServer({ replies, agent });
    const types = await typesOf(await call('POST /awp', { body: run('r1', parts) }));
    expect(types.some((type) => type.startsWith('REASONING'))).toBe(isSent);
    expect(types).toContain('TEXT_MESSAGE_CONTENT');
    expect(types.at(-1)).toBe('RUN_FINISHED');
  });

  it('is left out of replayed runs, and the capabilities state it', async () => {
    const { call } = await openServer({ replies, agent: { server: { agui_reasoning: false } } });
    const { session_id } = await readAnswer(await call('POST /agent/helper/chat', { body: message }));
    const types = await typesOf(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
    expect(types.filter((type) => type.startsWith('REASONING'))).toEqual([]);
    expect(await (await call('GET /awp/capabilities')).json()).toMatchObject({ reasoning: { supported: false } });
  });
});

describe('a file of a run that cannot be read', () => {
  const url = { type: 'image', source: { type: 'url', value: 'https://example.com/a.png', mimeType: 'image/png' } };
  const json = {
    type: 'document',
    source: { type: 'data', value: Buffer.from('{}').toString('base64'), mimeType: 'application/json' },
    metadata: { filename: 'data.json' },
  };
  const old = { type: 'binary', mimeType: 'application/pdf', url: 'https://example.com/b.pdf' };

  it('is a verdict for that file; the run continues, and the others are read', async () => {
    const { call, model } = await openServer({ replies: ['Hi.'] });
    const text = {
      type: 'document',
      source: { type: 'data', value: Buffer.from('hello').toString('base64'), mimeType: 'text/plain' },
    };
    const content = [{ type: 'text', text: 'look' }, url, json, old, text];
    const frames = await readFrames(
      await call('POST /awp', { body: run('r1', { messages: [{ id: 'm', role: 'user', content }] }) }),
    );
    const verdicts = frames.filter(({ data }) => data.name === 'file').map(({ data }) => data.value);
    const refused = { verdict: 'refused' };
    expect(verdicts).toMatchObject([
      { ...refused, filename: 'a.png', mime_type: 'image/png', detail: expect.stringContaining('URL') },
      { ...refused, filename: 'data.json', mime_type: 'application/json', detail: expect.stringContaining('type') },
      { ...refused, filename: 'b.pdf', mime_type: 'application/pdf', detail: expect.stringContaining('URL') },
      { verdict: 'read', mime_type: 'text/plain' },
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED' });
    expect(model.requests).toHaveLength(1);
  });

  it('is so for the protocol’s own client', async () => {
    const { url: server } = await openServer({ replies: ['Hi.'] });
    const agent = new HttpAgent({ url: `${server}/awp`, headers: { authorization: 'Bearer alice' } });
    const image = { type: 'image' as const, source: { type: 'url' as const, value: 'https://example.com/a.png' } };
    agent.addMessage({ id: 'm', role: 'user', content: [{ type: 'text', text: 'look' }, image] });
    const { newMessages } = await agent.runAgent();
    expect(newMessages).toMatchObject([{ role: 'assistant', content: 'Hi.' }]);
  });
});
