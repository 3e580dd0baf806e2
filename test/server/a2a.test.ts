import { describe, expect, it } from 'vitest';
import { openServer } from './server.ts';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const send = (message: object) =>
  rpc('SendMessage', { message: { messageId: 'm1', parts: [{ text: 'hello' }], ...message } });

async function openA2a() {
  const server = await openServer({ replies: () => 'Hi.' });
  const ask = async (body: unknown, headers: Record<string, string> = {}) => {
    const response = await server.call('POST /agent/helper/a2a', { body, headers });
    return { status: response.status, answer: JSON.parse(await response.text()) };
  };
  return { ...server, ask };
}

describe('A2A', () => {
  it('takes the same message once, and keeps the name of a context', async () => {
    const { ask, call } = await openA2a();
    const first = await ask(send({ contextId: 'my talk' }));
    const again = await ask(send({ contextId: 'my talk' }));
    expect(again).toEqual(first);
    expect(first.answer.result.task).toMatchObject({ contextId: 'my talk', status: { state: 'TASK_STATE_COMPLETED' } });
    expect(await (await call('GET /sessions')).json()).toMatchObject({ sessions: [{ message_count: 2 }] });
  });

  it.each<[string, object, number]>([
    ['a method that does not exist', rpc('Nothing'), -32601],
    ['push notifications', rpc('CreateTaskPushNotificationConfig'), -32003],
    ['a task that does not exist', rpc('GetTask', { id: 'x' }), -32001],
    ['a message without parts', rpc('SendMessage', { message: { messageId: 'm', parts: [] } }), -32602],
    ['a file that is not base64', send({ parts: [{ raw: '%', mediaType: 'text/plain' }] }), -32602],
    ['a message without text', send({ parts: [{ text: ' ' }] }), -32602],
  ])('answers %s with a code of the protocol', async (_what, body, code) => {
    const { ask } = await openA2a();
    expect(await ask(body)).toMatchObject({ status: 200, answer: { jsonrpc: '2.0', id: 7, error: { code } } });
  });

  it.each<[string, unknown, number | null]>([
    ['no method', { jsonrpc: '2.0', id: 7 }, 7],
    ['another version of JSON-RPC', { ...rpc('GetTask'), jsonrpc: '1.0' }, 7],
    ['params that are a list', { ...rpc('GetTask'), params: [1] }, 7],
    ['an id that is an object', { ...rpc('GetTask'), id: {} }, null],
    ['a batch', [rpc('GetTask')], null],
    ['a text', '"hello"', null],
  ])('answers an envelope with %s as invalid, and begins nothing', async (_what, body, id) => {
    const { ask, call } = await openA2a();
    expect(await ask(body)).toMatchObject({ status: 200, answer: { jsonrpc: '2.0', id, error: { code: -32600 } } });
    expect(await (await call('GET /sessions')).json()).toEqual({ sessions: [] });
  });

  it('refuses another version of the protocol', async () => {
    const { ask } = await openA2a();
    expect(await ask(send({}), { 'a2a-version': '0.3' })).toMatchObject({ answer: { error: { code: -32009 } } });
  });

  it('has a card that needs no token, also where there is authentication', async () => {
    const jwt = { secret: 'x'.repeat(32), issuer: 'https://login.example.com', audience: 'holodeck' };
    const { url } = await openServer({ replies: [], agent: { description: 'Helps.', server: { auth: { jwt } } } });
    const read = async (path: string) => (await fetch(`${url}${path}`)).json();
    const card = await read('/.well-known/agent-card.json');
    expect(card).toMatchObject({
      name: 'helper',
      description: 'Helps.',
      supportedInterfaces: [{ url: `${url}/agent/helper/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    expect(await read('/agent/helper/.well-known/agent-card.json')).toEqual(card);
    expect((await fetch(`${url}/agent/nobody/.well-known/agent-card.json`)).status).toBe(404);
  });
});
