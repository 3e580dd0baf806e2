import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALICE } from '../build.ts';
import { openServer, readAnswer, readFrames } from './server.ts';

/** A server that an agent must not ask; it counts the requests. */
async function openTrap() {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.end('secret');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return { url: `http://127.0.0.1:${port}/note.txt`, hits: () => hits };
}

type Make = (url: string) => [path: string, body: object];

const FRONTS: Record<string, Make> = {
  'AG-UI': (value) => [
    '/agent/helper/awp',
    {
      threadId: 't',
      runId: 'r',
      messages: [
        {
          id: 'm',
          role: 'user',
          content: [
            { type: 'text', text: 'read it' },
            { type: 'document', source: { type: 'url', value, mimeType: 'text/plain' } },
          ],
        },
      ],
    },
  ],
  OpenAI: (url) => [
    '/v1/chat/completions',
    {
      model: 'helper',
      metadata: { session_id: 't' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'read it' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    },
  ],
  A2A: (url) => [
    '/agent/helper/a2a',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'm', parts: [{ text: 'read it' }, { url, mediaType: 'text/plain' }] } },
    },
  ],
  'the AI SDK': (url) => [
    '/agent/helper/ui',
    {
      id: 't',
      messages: [
        {
          id: 'm',
          role: 'user',
          parts: [
            { type: 'text', text: 'read it' },
            { type: 'file', mediaType: 'text/plain', url },
          ],
        },
      ],
    },
  ],
};

describe.each(Object.entries(FRONTS))('a file by its address over %s', (_name, make) => {
  it('is not fetched; its verdict says so, and the turn goes on', async () => {
    const { call, runtime } = await openServer({ replies: ['I cannot see it.'] });
    const trap = await openTrap();
    const [path, body] = make(trap.url);
    const response = await call(`POST ${path}`, { body });
    expect([response.status, (await response.text()).includes('secret')]).toEqual([200, false]);
    const [conversation] = await runtime.listConversations(ALICE, { limit: 1 });
    const [turn] = await runtime.describeTurns(ALICE, conversation?.id ?? '', { limit: 1 });
    expect(turn?.result?.files).toMatchObject([
      { filename: 'note.txt', verdict: 'refused', detail: expect.stringContaining('was given as a URL') },
    ]);
    expect(trap.hits()).toBe(0);
  });
});

describe('a program over OpenAI’s API', () => {
  const messages = [{ role: 'user', content: 'hello' }];

  it('cannot be another user by the body', async () => {
    const { call } = await openServer({ replies: ['Hi.'] });
    const body = { model: 'helper', messages, user: ALICE.id, metadata: { session_id: 't', user_id: ALICE.id } };
    await call('POST /v1/chat/completions', { as: 'bob', body });
    const list = async (as: string) =>
      ((await (await call('GET /sessions', { as })).json()) as { sessions: object[] }).sessions.length; // as the API has it
    expect([await list('alice'), await list('bob')]).toEqual([0, 1]);
  });

  it('cannot replace a tool of the agent', async () => {
    const { call, model } = await openServer({ replies: [{ calls: [{ name: 'echo', arguments: {} }] }, 'Done.'] });
    const fake = { type: 'function', function: { name: 'echo', description: 'Mine', parameters: { type: 'object' } } };
    const response = await call('POST /v1/chat/completions', { body: { model: 'helper', messages, tools: [fake] } });
    expect(await response.json()).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: 'Done.' } }],
    });
    expect(model.requests[0]?.tools.map(({ description }) => description)).toEqual(['Returns what it is given.']);
  });
});

describe('front keys', () => {
  const user = (content: string) => ({ id: 'm', role: 'user', content });
  const run = (runId: string, content: string) => ({
    threadId: 't',
    runId,
    protocolVersion: '1.0',
    messages: [user(content)],
  });

  it('a key of REST never means a run of AG-UI', async () => {
    const { call, model, runtime } = await openServer({ replies: () => 'Hi.' });
    await readFrames(await call('POST /awp', { body: run('r', 'hello') }));
    const headers = { 'idempotency-key': 'ag-ui:["t","r"]' };
    const answer = await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers });
    expect(answer.status).toBe(200);
    expect(model.requests).toHaveLength(2);
    const { session_id } = await readAnswer(answer);
    const again = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers }));
    expect([again.session_id, model.requests.length, runtime.activeTurns]).toEqual([session_id, 2, 0]);
  });

  it('a key of REST gives its turn no run id of AG-UI', async () => {
    const { call } = await openServer({ replies: ['Hi.'] });
    const headers = { 'idempotency-key': 'ag-ui:["t","of another run"]' };
    const { session_id } = await readAnswer(
      await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers }),
    );
    const frames = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
    expect(frames[0]?.data).toMatchObject({ type: 'RUN_STARTED', threadId: session_id });
    expect(frames[0]?.data.runId).not.toBe('of another run');
  });
});
