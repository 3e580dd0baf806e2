import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHandler, createRuntime, defineAgent, type HandlerOptions, type Runtime } from '../../src/index.ts';
import { openRuntime, type Scene, temporaryFolder } from '../runtime.ts';

const BASE = '/api/agents';
const SITE = 'https://app.example.com';
const CHAT = `${BASE}/agent/helper/chat`;

async function openHandler(scene: Scene, options: Partial<HandlerOptions<Request>> = {}) {
  const { runtime, model } = await openRuntime(scene);
  const user = (request: Request) => /(?:^|;\s*)session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  return { runtime, model, handle: createHandler(runtime, { user, basePath: BASE, ...options }) };
}

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  stream?: ReadableStream;
}

function request({ path = CHAT, method = 'POST', headers = { origin: SITE }, signal, stream }: Sent = {}): Request {
  const content = stream ? { body: stream, duplex: 'half' } : { body: JSON.stringify({ message: 'hello' }) };
  const body = method === 'POST' ? content : {};
  return new Request(`${SITE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie: 'session=user-42', ...headers },
    ...body,
    ...(signal && { signal }),
  });
}

/** `handle.node` behind Node's own server, with the body read before it as `express.json()` does. */
async function serveNode(scene: Scene, { readsBody = false, keepsBody = true } = {}) {
  const { runtime } = await openRuntime(scene);
  const logged: string[] = [];
  const log = (text: string) => logged.push(text);
  const handle = createHandler(runtime, { user: () => 'user-42', basePath: BASE, log });
  const server = createServer(async (incoming, response) => {
    if (readsBody) {
      const chunks = await incoming.toArray();
      if (keepsBody) Object.assign(incoming, { body: JSON.parse(Buffer.concat(chunks).toString()) });
    }
    await handle.node(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return { runtime, logged, url: `http://127.0.0.1:${port}` };
}

const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"message":"hello"}' };

describe('documents that a folder limits to groups', () => {
  it.each([
    ['the group', { groups: ['board'] }, ['pages/index.md', 'pages/teams/board/pay.md']],
    ['another group', { groups: ['sales'] }, ['pages/index.md']],
    ['no group', {}, ['pages/index.md']],
  ])('are found by a user of the app with %s as the rule says', async (_, facts, found) => {
    const agent = join(temporaryFolder(), 'agent');
    mkdirSync(join(agent, 'pages/teams/board'), { recursive: true });
    writeFileSync(join(agent, 'pages/index.md'), '# Salaries\n\nSalaries are paid on the last day of a month.\n');
    writeFileSync(join(agent, 'pages/teams/board/pay.md'), '# Salaries\n\nSalaries of the board are 90,000 a year.\n');
    const knowledge = {
      handbook: { source: './pages', visible_to: { claim: 'groups' as const, folder: 'teams/{value}' } },
    };
    const user = () => ({ id: 'user-42', ...facts });
    const helper = await defineAgent({ name: 'helper', instructions: 'Help.', knowledge }, { folder: agent });
    const runtime = await createRuntime({ agents: [helper], folder: temporaryFolder() });
    onTestFinished(() => runtime.stop());
    const handle = createHandler(runtime, { user, basePath: BASE });
    const { url, headers } = request({ path: `${BASE}/agent/helper/knowledge/search` });
    const search = async () => {
      const answer = await handle(new Request(url, { method: 'POST', headers, body: '{"query":"salaries"}' }));
      const { passages } = (await answer.json()) as { passages: { document: string }[] };
      return passages.map(({ document }) => document).sort();
    };
    // The documents are read in the background.
    await expect.poll(search).not.toEqual([]);
    expect(await search()).toEqual(found);
  });
});

describe('createHandler', () => {
  it('answers below its base path for a user of any id, on the web and on Node', async () => {
    const { handle } = await openHandler({ replies: ['Hello there.'] });
    const answer = await handle(request());
    expect([answer.status, await answer.json()]).toMatchObject([200, { content: 'Hello there.' }]);
    const node = await serveNode({ replies: ['Hello there.'] });
    const sent = await fetch(`${node.url}${CHAT}`, json);
    expect([sent.status, await sent.json()]).toMatchObject([200, { content: 'Hello there.' }]);
  });

  it('takes a body that the framework has read', async () => {
    const { url } = await serveNode({ replies: ['Read.'] }, { readsBody: true });
    expect(await (await fetch(`${url}${CHAT}`, json)).json()).toMatchObject({ content: 'Read.' });
  });

  it('streams on both', async () => {
    const { handle } = await openHandler({ replies: ['One two three.'] });
    const node = await serveNode({ replies: ['One two three.'] });
    const answers = [await handle(request({ path: `${CHAT}/stream` })), await fetch(`${node.url}${CHAT}/stream`, json)];
    for (const answer of answers) {
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      // With `compression()` before it, an app would send all events at the end.
      expect(answer.headers.get('cache-control')).toContain('no-transform');
      expect((await answer.text()).match(/^event: \w+$/gm)?.at(-1)).toBe('event: stream_end');
    }
  });

  it('keeps the users of the app apart, and answers 401 without one', async () => {
    const { handle } = await openHandler({ replies: ['Hello.'] });
    await handle(request());
    const list = async (cookie: string) =>
      (await handle(request({ method: 'GET', path: `${BASE}/sessions`, headers: { cookie } }))).json();
    expect(await list('session=user-42')).toMatchObject({ sessions: [{}] });
    expect(await list('session=user-43')).toMatchObject({ sessions: [] });
    const refused = await handle(request({ headers: { origin: SITE, cookie: '' } }));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, null]);
    const problem = { title: 'Sign in first', detail: 'This request has no signed-in user.' };
    expect(await refused.json()).toMatchObject(problem);
  });

  it('names addresses below its base path', async () => {
    const { handle } = await openHandler({ replies: ['Hello.'] });
    const headers = { origin: SITE, prefer: 'respond-async' };
    expect((await handle(request({ headers }))).headers.get('location')).toMatch(
      /^\/api\/agents\/sessions\/\w+\/events$/,
    );
    const read = async (path: string): Promise<unknown> =>
      (await handle(request({ method: 'GET', path: `${BASE}${path}` }))).json();
    expect(await read('/openapi.json')).toMatchObject({ servers: [{ url: BASE }] });
    expect(await read('/nowhere')).toMatchObject({ detail: expect.stringContaining(` ${BASE}/docs `) });
    expect(await read('/agent/helper/.well-known/agent-card.json')).toMatchObject({
      url: `${SITE}${BASE}/agent/helper/a2a`,
      supportedInterfaces: [{ protocolVersion: '1.0', url: `${SITE}${BASE}/agent/helper/a2a` }, {}],
    });
  });

  it('shows no prompts to users of the app, although the agent names no tokens', async () => {
    const { handle, runtime } = await openHandler({ replies: ['Hello.'] });
    const { session_id } = Object(await (await handle(request())).json());
    const read = async (path: string): Promise<unknown> =>
      (await handle(request({ method: 'GET', path: `${BASE}${path}` }))).json();
    const { turns } = Object(await read(`/sessions/${session_id}/turns`));
    const trace = JSON.stringify(await read(`/sessions/${session_id}/turns/${turns[0].id}/trace`));
    expect(trace).toContain('"iteration":1');
    expect(trace).not.toContain(runtime.agents[0]?.instructions);
    expect(await read('/me')).toMatchObject({ is_developer: false, auth: 'app' });
  });

  it('stops the model when the body is cancelled or the request is aborted', async () => {
    const { handle, runtime } = await openHandler({ replies: () => ({ text: 'x', hang: true }) });
    const answer = await handle(request({ path: `${CHAT}/stream` }));
    await answer.body?.cancel();
    await expect.poll(() => runtime.activeTurns).toBe(0);
    const leave = new AbortController();
    const pending = handle(request({ signal: leave.signal }));
    await expect.poll(() => runtime.activeTurns).toBe(1);
    leave.abort();
    expect((await pending).status).toBe(499);
    await expect.poll(() => runtime.activeTurns).toBe(0);
  });

  it('ends the body without an error when the client leaves: hosts would log each one', async () => {
    const { handle } = await openHandler({ replies: () => ({ text: 'x', hang: true }) });
    const leave = new AbortController();
    const answer = await handle(request({ path: `${CHAT}/stream`, signal: leave.signal }));
    const reader = answer.body?.getReader();
    await reader?.read();
    leave.abort();
    while (!(await reader?.read())?.done);
  });

  it('answers 200 users at once, and each one for himself', async () => {
    const echo = ({ messages }: { messages: readonly { content: string }[] }) => `For ${messages.at(-1)?.content}.`;
    const { handle, runtime } = await openHandler({ replies: echo });
    const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const answers = users.map(async (user) => {
      const { url, headers } = request({ headers: { origin: SITE, cookie: `session=${user}` } });
      const answer = await handle(new Request(url, { method: 'POST', headers, body: `{"message":"${user}"}` }));
      return Object(await answer.json()).content;
    });
    expect(await Promise.all(answers)).toEqual(users.map((user) => `For ${user}.`));
    expect(runtime.activeTurns).toBe(0);
  });

  it('loses nothing of a long answer that is read slowly', async () => {
    // Several times the buffer of a response.
    const long = 'word '.repeat(40_000);
    const { handle } = await openHandler({ replies: [long] });
    const answer = await handle(request({ path: `${CHAT}/stream` }));
    let text = '';
    for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const end = /event: stream_end\ndata: (.*)\n/.exec(text)?.[1] ?? '{}';
    expect(JSON.parse(end).content?.length).toBe(long.length);
  });
});

describe('a page of another origin', () => {
  const FOREIGN = 'https://evil.example';
  const refused: [string, Sent][] = [
    ['a foreign origin', { headers: { origin: FOREIGN } }],
    ['no origin of a sandbox or a data address', { headers: { origin: 'null' } }],
    ['the same name over http', { headers: { origin: 'http://app.example.com' } }],
    ['the same name on another port', { headers: { origin: `${SITE}:8443` } }],
    ['a name below ours', { headers: { origin: 'https://evil.app.example.com' } }],
    ['a name above ours', { headers: { origin: 'https://example.com' } }],
    ['our name at the front of another', { headers: { origin: `${SITE}.evil.example` } }],
    ['our name at the end of another', { headers: { origin: 'https://evilapp.example.com' } }],
    ['our name as a user', { headers: { origin: `${SITE}@evil.example` } }],
    ['our origin with a path', { headers: { origin: `${SITE}/` } }],
    ['two origins', { headers: { origin: `${SITE} ${FOREIGN}` } }],
    ['an extension', { headers: { origin: 'chrome-extension://app.example.com' } }],
    ['an empty origin', { headers: { origin: '' } }],
    ['a foreign site without an origin', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a sister site without an origin', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['neither origin nor site, with a cookie', { headers: {} }],
    ['a form that claims to be text', { headers: { origin: FOREIGN, 'content-type': 'text/plain' } }],
    [
      'a deletion',
      { method: 'DELETE', path: `${BASE}/sessions/01J00000000000000000000000`, headers: { origin: FOREIGN } },
    ],
    ['a preflight', { method: 'OPTIONS', headers: { origin: FOREIGN, 'access-control-request-method': 'POST' } }],
    [
      'a picture of an event stream',
      {
        method: 'GET',
        path: `${BASE}/sessions`,
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      },
    ],
  ];
  it.each(refused)('cannot act with the cookie: %s', async (_name, sent) => {
    const { handle, runtime } = await openHandler({ replies: ['Hello.'] });
    const answer = await handle(request(sent));
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await runtime.countActive()).toBe(0);
  });

  it.each([
    ['its own origin', { origin: SITE }],
    ['its own site', { 'sec-fetch-site': 'same-origin' }],
    ['a listed origin', { origin: 'https://shop.example.com' }],
  ])('is another matter than %s', async (_name, headers: Record<string, string>) => {
    const { handle } = await openHandler({ replies: ['Hello.'] }, { origins: ['https://shop.example.com'] });
    expect((await handle(request({ headers }))).status).toBe(200);
  });
});

describe('what `user` returns', () => {
  const UUID = 'a0000000-0000-4000-8000-000000000001';
  // Programs without types return anything.
  async function meOf(...given: unknown[]) {
    const logged: string[] = [];
    const log = (text: string) => logged.push(text);
    const { runtime } = await openRuntime({ replies: () => 'Hi.' });
    const answers = given.map(async (value) => {
      const user = () => value as string;
      const handle = createHandler(runtime, { user, basePath: BASE, log });
      const answer = await handle(request({ method: 'GET', path: `${BASE}/me` }));
      return { status: answer.status, ...Object(await answer.json()) };
    });
    return { answers: await Promise.all(answers), logged };
  }

  it('is nobody without a session', async () => {
    const { answers, logged } = await meOf(undefined, null, false, '', 0, {}, { id: undefined }, { id: null }, ' ', []);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
    expect(logged).toEqual([]);
  });

  it('is refused with a sentence for its author where it is no text', async () => {
    const { answers, logged } = await meOf(
      42,
      { id: 42 },
      true,
      10n,
      { id: 'a', groups: 'board' },
      { id: 'a', groups: [1] },
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(500));
    expect(JSON.stringify(answers)).not.toContain('String(id)');
    expect(logged[0]).toMatch(
      /GET \/api\/agents\/me failed .*`user` returned an id that is a number. Use String\(id\)/,
    );
    expect(logged[4]).toMatch(/`user` returned groups that are no list of texts/);
  });

  it('may be a whole row of a table: null is absent, and unknown keys give no rights and no other identity', async () => {
    const row = { id: 'ann', name: null, timezone: 'Mars/Phobos', groups: null, email: 'a@example.com' };
    const { answers } = await meOf(
      'ann',
      row,
      { id: 'ann', is_developer: true, issuer: 'other' },
      { id: 'ann', name: 7 },
    );
    const [ann] = answers;
    expect(ann).toMatchObject({ status: 200, is_developer: false, zone: expect.any(String) });
    expect(answers).toEqual(Array(4).fill(ann));
  });

  it('keeps two ids apart, also one that is made to look like the other', async () => {
    const { answers } = await meOf('ann', 'Ann', 'ann ', 'a\u0301nn', '\u00e1nn', UUID);
    const ids = answers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.at(-1)).toBe(UUID);
    // A person who takes the id that Ann has inside as a name is another user.
    const { answers: others } = await meOf(ids[0], ids[0].toUpperCase());
    expect(others.map(({ id }) => ids.includes(id))).toEqual([false, false]);
    // Broken text would be written as the same replacement character.
    const { answers: broken } = await meOf('\ud800', '\udfff');
    expect(broken.map(({ status }) => status)).toEqual([401, 401]);
  });

  it.each([
    ['an error', () => new Error('the password is hunter2')],
    ['a response', () => new Response('no', { status: 402 })],
    ['a text', () => 'the password is hunter2'],
  ])('may throw %s: the author reads it, the client does not', async (_what, make) => {
    const logged: string[] = [];
    const user = async () => {
      throw make();
    };
    const { handle, runtime } = await openHandler({ replies: ['Hi.'] }, { user, log: (text) => logged.push(text) });
    const answer = await handle(request());
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('hunter2')]);
    expect(logged).toEqual([expect.stringMatching(/POST \/api\/agents\/agent\/helper\/chat failed/)]);
    expect(runtime.activeTurns).toBe(0);
  });
});

describe('a request that is cut, or read by somebody else', () => {
  it('begins no turn if its client has left before', async () => {
    const { handle, runtime } = await openHandler({ replies: ['Hi.'] });
    expect((await handle(request({ signal: AbortSignal.abort() }))).status).toBe(499);
    await expect.poll(() => runtime.activeTurns).toBe(0);
  });

  it('is malformed if its upload ends early, and harmless if nobody reads the upload', async () => {
    const { handle } = await openHandler({ replies: ['Hi.'] });
    const cut = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('{"mess')),
        pull: (controller) => controller.error(new Error('gone')),
      });
    expect((await handle(request({ stream: cut() }))).status).toBe(400);
    // Without a user the body is not read. A failure without a listener would end the process of the app.
    expect((await handle(request({ stream: cut(), headers: { origin: SITE, cookie: '' } }))).status).toBe(401);
    expect((await handle(request({ stream: cut(), path: `${BASE}/nothing` }))).status).toBe(404);
  });

  it('is discarded if its upload is refused, and never cancelled: hosts would close the socket before the answer', async () => {
    const { handle } = await openHandler({ replies: [] });
    const seen: string[] = [];
    let left = 3;
    const stream = new ReadableStream({
      pull(controller) {
        if (left-- > 0) return controller.enqueue(Buffer.from('{'));
        seen.push('read');
        return controller.close();
      },
      cancel: () => void seen.push('cancelled'),
    });
    expect((await handle(request({ stream, headers: { origin: SITE, cookie: '' } }))).status).toBe(401);
    await expect.poll(() => seen).toEqual(['read']);
  });

  it.each<[string, (bytes: Buffer) => unknown[]]>([
    ['byte by byte', (bytes) => Array.from(bytes, (byte) => Buffer.of(byte))],
    ['with empty pieces', (bytes) => [Buffer.of(), bytes, Buffer.of()]],
    ['as text', (bytes) => [bytes.toString()]],
  ])('is whole if its body comes %s', async (_how, cut) => {
    const { handle, model } = await openHandler({ replies: ['Hi.'] });
    const stream = ReadableStream.from(cut(Buffer.from('{"message":"grün"}')));
    expect((await handle(request({ stream }))).status).toBe(200);
    expect(model.requests[0]?.messages[0]?.content).toBe('grün');
  });

  it('is malformed if its body is no bytes, and refused if it never ends', async () => {
    const { handle } = await openHandler({ replies: ['Hi.'] });
    expect((await handle(request({ stream: ReadableStream.from([{ message: 'hello' }]) }))).status).toBe(400);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(1_000_000, ' ')) });
    expect((await handle(request({ stream: endless }))).status).toBe(413);
  });

  it('fails with a sentence for the author if its form was read before', async () => {
    const { url, logged } = await serveNode({ replies: ['Hi.'] }, { readsBody: true });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await fetch(`${url}${CHAT}`, { ...json, headers })).status).toBe(500);
    await expect.poll(() => logged).toEqual([expect.stringContaining('The body was read before HoloDeck got')]);
  });

  it('fails with a sentence for the author if it is the object of another kind of host', async () => {
    const { handle } = await openHandler({ replies: [] });
    // Programs without types pass anything.
    const [web, node] = [handle, handle.node] as ((...given: unknown[]) => Promise<unknown>)[];
    for (const given of [{ url: '/me', method: 'GET', headers: {} }, { raw: request() }, undefined])
      await expect(web?.(given)).rejects.toThrow('Mount `handle.node`');
    await expect(node?.(request())).rejects.toThrow('is for `handle`');
    await expect(node?.({ httpVersionMajor: 2 }, { writeHead() {} })).rejects.toThrow('HTTP/1.1');
  });

  it('fails with a sentence for the author if its body was read before, on the web and on Node', async () => {
    const logged: string[] = [];
    const { handle } = await openHandler({ replies: ['Hi.'] }, { log: (text) => logged.push(text) });
    const [used, locked] = [request(), request()];
    await used.text();
    locked.body?.getReader();
    expect([(await handle(used)).status, (await handle(locked)).status]).toEqual([500, 500]);
    const node = await serveNode({ replies: ['Hi.'] }, { readsBody: true, keepsBody: false });
    expect((await fetch(`${node.url}${CHAT}`, json)).status).toBe(500);
    await expect.poll(() => [...logged, ...node.logged]).toHaveLength(3);
    for (const line of [...logged, ...node.logged]) expect(line).toContain('The body was read before HoloDeck got');
  });

  it('stops the model when the socket of Node closes', async () => {
    const { url, runtime } = await serveNode({ replies: () => ({ text: 'x', hang: true }) });
    const leave = new AbortController();
    const answer = await fetch(`${url}${CHAT}/stream`, { ...json, signal: leave.signal });
    await answer.body?.getReader().read();
    expect(runtime.activeTurns).toBe(1);
    leave.abort();
    await expect.poll(() => runtime.activeTurns).toBe(0);
  });

  it('is answered with 503 after the runtime has stopped', async () => {
    const { handle, runtime } = await openHandler({ replies: ['Hi.'] });
    handle.close();
    await runtime.stop();
    expect((await handle(request())).status).toBe(503);
  });
});

describe('options that cannot work', () => {
  it.each<[string, Record<string, unknown>]>([
    ['user', {}],
    ['user', { user: 'ann' }],
    ...['api', '/a b', '/api?x', '/a/../b', '/./a', '//', 'https://x.example/api', null].map(
      (basePath): [string, Record<string, unknown>] => ['basePath', { user: () => 'a', basePath }],
    ),
    ...['*', 'https://a.example/', 'a.example', 'null', 'HTTPS://A.example', 'file://', undefined].map(
      (origin): [string, Record<string, unknown>] => ['origins', { user: () => 'a', origins: [origin] }],
    ),
    ['origins', { user: () => 'a', origins: 'https://a.example' }],
  ])('are refused at the start, by %s: %j', async (key, options) => {
    const { runtime } = await openRuntime({ replies: [] });
    // Programs without types pass anything.
    expect(() => createHandler(runtime, options as unknown as HandlerOptions<Request>)).toThrow(`${key}: `);
  });

  it('are refused without options, and without a runtime that is open', async () => {
    const none = undefined as unknown as HandlerOptions<Request>;
    const opening = openRuntime({ replies: [] }).then(({ runtime }) => runtime);
    expect(() => createHandler(opening as unknown as Runtime, { user: () => 'a' })).toThrow('await createRuntime');
    const runtime = await opening;
    expect(() => createHandler(runtime, none)).toThrow('user: ');
    for (const basePath of ['', '/', '/api', '/api/agents/', '/a.b/~c'])
      expect(createHandler(runtime, { user: () => 'a', basePath }).close).toBeTypeOf('function');
  });
});

it('serves nothing besides its own routes, however the path is written', async () => {
  const { handle } = await openHandler({ replies: [] });
  const status = async (path: string) => (await handle(request({ method: 'GET', path: `${BASE}${path}` }))).status;
  for (const path of [
    '/',
    '',
    '//me',
    '/%2e%2e/me',
    '/me%2f',
    '/%6de/x',
    '/agent/helper%2ftools',
    '/%',
    '/runs',
    '/metrics',
  ])
    expect([path, await status(path)]).toEqual([path, 404]);
  expect(await status('/me')).toBe(200);
});

it('names no login server that is none', async () => {
  const { handle } = await openHandler({ replies: [] });
  const path = `${BASE}/.well-known/oauth-protected-resource/mcp`;
  const metadata = await (await handle(request({ method: 'GET', path }))).json();
  expect(metadata).toMatchObject({ resource: `${SITE}${BASE}/mcp` });
  expect(metadata).not.toHaveProperty('authorization_servers');
});
