import { describe, expect, it } from 'vitest';
import { openServer, streamFrames } from './server.ts';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
const send = (message: object) =>
  rpc('SendMessage', { message: { messageId: 'm1', parts: [{ text: 'hello' }], ...message } });

interface Updates {
  artifactUpdate?: { artifact: { parts: { text: string }[] } };
  statusUpdate?: { status: { state: string } };
}

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

  it.each([
    ['no JSON', '{"jsonrpc":'],
    ['nothing', ' '],
    ['a deep body', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('answers %s as a parse error of JSON-RPC', async (_what, body) => {
    const { ask } = await openA2a();
    expect(await ask(body)).toMatchObject({
      status: 200,
      answer: { jsonrpc: '2.0', id: null, error: { code: -32700 } },
    });
  });

  it('lists own tasks by context, status and page, without those of others', async () => {
    const { ask, call } = await openA2a();
    const ids: string[] = [];
    for (const [index, contextId] of ['a', 'a', 'b'].entries())
      ids.unshift((await ask(send({ contextId, messageId: `m${index}` }))).answer.result.task.id);
    const list = async (params: object) => (await ask(rpc('ListTasks', params))).answer.result;
    const idsOf = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id);
    const all = await list({});
    expect([idsOf(all), all.totalSize, all.nextPageToken, all.pageSize]).toEqual([ids, 3, '', 50]);
    expect(all.tasks[0]).toMatchObject({ contextId: 'b', status: { state: 'TASK_STATE_COMPLETED' } });
    expect(all.tasks[0]).not.toHaveProperty('artifacts');
    expect(idsOf(await list({ contextId: 'a' }))).toEqual(ids.slice(1));
    expect(idsOf(await list({ status: 'TASK_STATE_FAILED' }))).toEqual([]);
    const first = await list({ pageSize: 2, includeArtifacts: true, historyLength: 1 });
    expect([idsOf(first), first.totalSize]).toEqual([ids.slice(0, 2), 3]);
    expect(first.tasks[0]).toMatchObject({
      artifacts: [{ parts: [{ text: 'Hi.' }] }],
      history: [{ role: 'ROLE_AGENT', parts: [{ text: 'Hi.' }] }],
    });
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
    expect([idsOf(second), second.nextPageToken]).toEqual([ids.slice(2), '']);
    for (const params of [{}, { contextId: 'a' }]) {
      const bobs = await call('POST /agent/helper/a2a', { as: 'bob', body: rpc('ListTasks', params) });
      expect(await bobs.json()).toMatchObject({ result: { tasks: [], totalSize: 0 } });
    }
    expect((await ask(rpc('ListTasks', { pageSize: 0 }))).answer).toMatchObject({ error: { code: -32602 } });
  });

  it('returns as many messages of a task as historyLength says', async () => {
    const { ask } = await openA2a();
    const sent = await ask(rpc('SendMessage', { ...send({}).params, configuration: { historyLength: 5 } }));
    const { id, history } = sent.answer.result.task;
    const texts = (messages: { role: string; parts: { text: string }[] }[] = []) =>
      messages.map(({ role, parts }) => [role, parts[0]?.text]);
    const both = [
      ['ROLE_USER', 'hello'],
      ['ROLE_AGENT', 'Hi.'],
    ];
    expect(texts(history)).toEqual(both);
    const read = async (params: object) => (await ask(rpc('GetTask', { id, ...params }))).answer.result;
    expect(texts((await read({ historyLength: 1 })).history)).toEqual(both.slice(1));
    expect(await read({ historyLength: 0 })).not.toHaveProperty('history');
    expect((await ask(rpc('GetTask', { id, historyLength: -1 }))).answer).toMatchObject({ error: { code: -32602 } });
  });

  it('streams a running task to a later subscriber, and refuses one that has ended', async () => {
    const { call } = await openServer({ replies: [{ text: ['One ', 'two.'], hang: true }] });
    const ask = (body: object, as = 'alice') => call('POST /agent/helper/a2a', { body, as });
    const running = rpc('SendMessage', { ...send({}).params, configuration: { returnImmediately: true } });
    const { id } = JSON.parse(await (await ask(running)).text()).result.task;
    const subscribe = rpc('SubscribeToTask', { id });
    const strange = JSON.parse(await (await ask(subscribe, 'bob')).text());
    expect(strange).toMatchObject({ error: { code: -32001 } });
    const stream = streamFrames(await ask(subscribe));
    const first = (await stream.next()).value?.data;
    expect(first).toMatchObject({ id: 7, result: { task: { id, status: { state: 'TASK_STATE_WORKING' } } } });
    let text = '';
    const rest: string[] = [];
    const cancelled = () => ask(rpc('CancelTask', { id }));
    for await (const { data } of stream) {
      const { artifactUpdate, statusUpdate } = data.result as Updates;
      text += artifactUpdate?.artifact.parts[0]?.text ?? '';
      if (statusUpdate) rest.push(statusUpdate.status.state);
      if (text === 'One two.' && rest.length === 0) void cancelled();
    }
    expect([text, rest]).toEqual(['One two.', ['TASK_STATE_CANCELED']]);
    expect(await (await ask(subscribe)).json()).toMatchObject({ error: { code: -32004 } });
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

  it('refuses a version of the protocol that the method does not belong to', async () => {
    const { ask } = await openA2a();
    const refused = (own: string) => ({ answer: { error: { code: -32009, message: expect.stringContaining(own) } } });
    expect(await ask(send({}), { 'a2a-version': '0.3' })).toMatchObject(refused('1.0'));
    expect(await ask({ ...send({}), method: 'message/send' }, { 'a2a-version': '1.0' })).toMatchObject(refused('0.3'));
    expect(await ask(send({}), { 'a2a-version': '2.0' })).toMatchObject(refused('1.0'));
  });

  it('has a card that needs no token, also where there is authentication', async () => {
    const jwt = { secret: 'x'.repeat(32), issuer: 'https://login.example.com', audience: 'holodeck' };
    const { url } = await openServer({ replies: [], agent: { description: 'Helps.', server: { auth: { jwt } } } });
    const read = async (path: string) => (await fetch(`${url}${path}`)).json();
    const card = await read('/.well-known/agent-card.json');
    expect(card).toMatchObject({
      name: 'helper',
      description: 'Helps.',
      supportedInterfaces: [
        { url: `${url}/agent/helper/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${url}/agent/helper/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      // The same for clients of 0.3.
      url: `${url}/agent/helper/a2a`,
      protocolVersion: '0.3.0',
      securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
      security: [{ bearer: [] }],
    });
    expect(await read('/agent/helper/.well-known/agent-card.json')).toEqual(card);
    expect((await fetch(`${url}/agent/nobody/.well-known/agent-card.json`)).status).toBe(404);
  });
});

describe('A2A 0.3', () => {
  const text = { kind: 'text', text: 'hello' };
  const old = (method: string, message: object = {}, more: object = {}) =>
    rpc(method, { message: { kind: 'message', role: 'user', messageId: 'm1', parts: [text], ...message }, ...more });

  it('answers a message with a task whose parts and states have the names of 0.3', async () => {
    const { ask } = await openA2a();
    const { result } = (await ask(old('message/send'))).answer;
    expect(result).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'Hi.' }] }],
    });
    const read = await ask(rpc('tasks/get', { id: result.id, historyLength: 2 }));
    expect(read.answer.result).toMatchObject({
      ...result,
      history: [
        { kind: 'message', role: 'user', parts: [text] },
        { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'Hi.' }] },
      ],
    });
    // The same task by the names of 1.0.
    expect((await ask(rpc('GetTask', { id: result.id }))).answer.result).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'Hi.' }] }],
    });
  });

  it('streams a task, its text and its last status', async () => {
    const { call } = await openServer({ replies: [{ text: ['One ', 'two.'] }] });
    const frames: Record<string, unknown>[] = [];
    for await (const { data } of streamFrames(await call('POST /agent/helper/a2a', { body: old('message/stream') })))
      frames.push(data.result as Record<string, unknown>);
    expect(frames[0]).toMatchObject({ kind: 'task', status: { state: 'working' } });
    expect(frames[1]).toMatchObject({
      kind: 'artifact-update',
      artifact: { parts: [{ kind: 'text' }] },
      append: false,
    });
    expect(frames.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
  });

  it('returns at once without blocking, and follows and cancels the task', async () => {
    const { call } = await openServer({ replies: [{ text: 'One ', hang: true }] });
    const ask = (body: object) => call('POST /agent/helper/a2a', { body });
    const sent = await ask(old('message/send', {}, { configuration: { blocking: false } }));
    const { id, status } = JSON.parse(await sent.text()).result;
    expect(status.state).toBe('working');
    const frames = streamFrames(await ask(rpc('tasks/resubscribe', { id })));
    expect((await frames.next()).value?.data).toMatchObject({ result: { kind: 'task', id } });
    const cancelled = await (await ask(rpc('tasks/cancel', { id }))).json();
    expect(cancelled).toMatchObject({ result: { kind: 'task', status: { state: 'canceled' } } });
    await frames.return?.(undefined);
  });

  it('reads a file', async () => {
    const { ask, model } = await openA2a();
    const bytes = Buffer.from('milk and bread').toString('base64');
    const file = { kind: 'file', file: { bytes, name: 'list.txt', mimeType: 'text/plain' } };
    const { result } = (await ask(old('message/send', { parts: [text, file] }))).answer;
    expect(result.status.state).toBe('completed');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('milk and bread');
  });

  it.each<[string, object, number]>([
    ['a method that 0.3 has not', rpc('tasks/list'), -32601],
    ['push notifications', rpc('tasks/pushNotificationConfig/set'), -32003],
    ['a task that does not exist', rpc('tasks/get', { id: 'x' }), -32001],
    ['a message without parts', old('message/send', { parts: [] }), -32602],
    ['no message', rpc('message/send'), -32602],
    ['a file without content', old('message/send', { parts: [{ kind: 'file', file: {} }] }), -32602],
  ])('answers %s with a code of the protocol', async (_what, body, code) => {
    const { ask } = await openA2a();
    expect(await ask(body)).toMatchObject({ status: 200, answer: { id: 7, error: { code } } });
  });
});
