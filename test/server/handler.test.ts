import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHandler, createRuntime, defineAgent, type HandlerOptions } from '../../src/index.ts';
import { openRuntime, type Scene, temporaryFolder } from '../runtime.ts';

const BASE = '/api/agents';
const SITE = 'https://app.example.com';
const CHAT = `${BASE}/agent/helper/chat`;

async function openHandler(scene: Scene, options: Partial<HandlerOptions<Request>> = {}) {
  const { runtime } = await openRuntime(scene);
  const user = (request: Request) => /session=(\S+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  return { runtime, handle: createHandler(runtime, { user, basePath: BASE, ...options }) };
}

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function request({ path = CHAT, method = 'POST', headers = { origin: SITE }, signal }: Sent = {}): Request {
  const body = method === 'POST' ? { body: JSON.stringify({ message: 'hello' }) } : {};
  return new Request(`${SITE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie: 'session=user-42', ...headers },
    ...body,
    ...(signal && { signal }),
  });
}

/** `handle.node` behind Node's own server, with the body read before it as `express.json()` does. */
async function serveNode(scene: Scene, { readsBody = false } = {}) {
  const { runtime } = await openRuntime(scene);
  const handle = createHandler(runtime, { user: () => 'user-42', basePath: BASE });
  const server = createServer(async (incoming, response) => {
    if (readsBody) {
      const chunks = await incoming.toArray();
      Object.assign(incoming, { body: JSON.parse(Buffer.concat(chunks).toString()) });
    }
    await handle.node(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return { runtime, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }; // a listening TCP server has one
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
    expect((await handle(request({ headers: { origin: SITE, cookie: '' } }))).status).toBe(401);
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
    expect(await read('/agent/helper/.well-known/agent-card.json')).toMatchObject({
      supportedInterfaces: [{ url: `${SITE}${BASE}/agent/helper/a2a` }],
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
    expect(await read('/me')).toMatchObject({ is_developer: false });
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
