import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERROR_META } from '../../src/schema/fronts/mcp.ts';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { buildTool } from '../build.ts';
import { openServer, type ServerScene } from './server.ts';

/** SDK 2.x speaks both eras; SDK 1.x speaks the older one with a client of its own. */
type Era = 'legacy' | 'auto' | '1.x';
type Decide = (message: string) => { action: 'accept' | 'decline'; content?: Record<string, string | boolean> };

interface ClientOptions {
  era: Era;
  as?: string;
  /** Answers elicitations; without it the client declares that it cannot. */
  decide?: Decide;
}

async function openClient(url: string, { era, as = 'alice', decide }: ClientOptions): Promise<Client> {
  const capabilities = decide ? { elicitation: { form: {} } } : {};
  const requestInit = { headers: { authorization: `Bearer ${as}` } };
  if (era === '1.x') {
    const client = new FirstClient({ name: 'test', version: '1' }, { capabilities });
    if (decide) client.setRequestHandler(ElicitRequestSchema, ({ params }) => decide(params.message));
    // The cast: its types are older than exact optional properties.
    const transport = new FirstTransport(new URL('/mcp', url), { requestInit }) as Parameters<typeof client.connect>[0];
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { callTool: first } = client;
    const callTool = (given: Parameters<typeof first>[0], options: object) =>
      first.call(client, given, undefined, options);
    // The methods that the tests use differ in one parameter.
    return Object.assign(client, { callTool }) as unknown as Client;
  }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era }, capabilities });
  if (decide) client.setRequestHandler('elicitation/create', ({ params }) => decide(params.message));
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

interface Asked {
  session_id: string;
  status: string;
  content: string;
}

async function askHelper(client: Client, args: Record<string, string>, options = {}) {
  const result = await client.callTool({ name: 'ask_helper', arguments: args }, options);
  const failure = result._meta?.[ERROR_META] as object | undefined; // our own error
  return { isError: result.isError === true, ...(result.structuredContent as unknown as Asked), ...failure }; // the tool's own schema
}

const remove = (ran: unknown[]) =>
  buildTool({
    name: 'remove',
    needsApproval: true,
    run: (args) => {
      ran.push(args);
      return 'removed';
    },
  });
const REMOVES = [{ calls: [{ name: 'remove', arguments: { text: 'all' } }] }, { text: 'Finished.' }];

describe.each<Era>(['legacy', 'auto', '1.x'])('the MCP server for a client of the %s era', (era) => {
  const open = async (scene: ServerScene, options: Omit<ClientOptions, 'era'> = {}) => {
    const server = await openServer(scene);
    return { ...server, client: await openClient(server.url, { era, ...options }) };
  };

  it('takes a call with a key once, however often it is sent, and refuses the key for another message', async () => {
    let runs = 0;
    const count = buildTool({ name: 'count', run: () => ++runs });
    const replies = [{ calls: [{ name: 'count', arguments: {} }] }, 'Counted.', 'Other.'];
    const { client, url } = await open({ replies, tools: [count] });
    const send = async (by: Client, message: string) =>
      by.callTool({
        name: 'ask_helper',
        arguments: { message },
        _meta: { 'holodeck/idempotency-key': 'k' },
      });
    const first = await send(client, 'count');
    const again = await send(await openClient(url, { era }), 'count');
    expect([again.structuredContent, runs]).toEqual([first.structuredContent, 1]);
    expect((await send(client, 'other'))._meta).toMatchObject({ [ERROR_META]: { code: 'idempotency_mismatch' } });
    const bob = await send(await openClient(url, { era, as: 'bob' }), 'count');
    expect(bob.structuredContent).toMatchObject({ content: 'Other.' });
  });

  it('has one tool per agent, which answers and continues a conversation', async () => {
    const { client, call } = await open({ replies: ['Hi.', 'Again.'] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_helper']);
    const first = await askHelper(client, { message: 'hello' });
    expect(first).toMatchObject({ isError: false, status: 'completed', content: 'Hi.' });
    const second = await askHelper(client, { message: 'and now?', session_id: first.session_id });
    expect(second).toMatchObject({ content: 'Again.', session_id: first.session_id });
    const session = await (await call(`GET /sessions/${first.session_id}`)).json();
    expect(session).toMatchObject({ message_count: 4 });
  });

  it('reports text and tools while the turn runs', async () => {
    const replies = [{ calls: [{ name: 'echo', arguments: {} }] }, { text: 'One two three.' }];
    const { client } = await open({ replies });
    const seen: { progress: number; message?: string | undefined }[] = [];
    await askHelper(client, { message: 'count' }, { onprogress: (report: (typeof seen)[number]) => seen.push(report) });
    const texts = seen.map(({ message }) => message);
    expect(texts[0]).toBe('[echo]');
    expect(texts.slice(1).join('')).toBe('One two three.');
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_report, index) => index + 1));
  });

  it('stops the turn when the call is cancelled', async () => {
    const { client, runtime } = await open({ replies: [{ text: 'x', hang: true }] });
    const abort = new AbortController();
    const options = { signal: abort.signal, onprogress: () => abort.abort() };
    await expect(client.callTool({ name: 'ask_helper', arguments: { message: 'hello' } }, options)).rejects.toThrow();
    await expect.poll(() => runtime.activeTurns).toBe(0);
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(1);
  });

  it('asks the user by elicitation before a tool that needs approval runs', async () => {
    const ran: unknown[] = [];
    const asked: string[] = [];
    const decide: Decide = (message) => {
      asked.push(message);
      return { action: 'accept', content: { approved: true } };
    };
    const { client } = await open({ replies: REMOVES, tools: [remove(ran)] }, { decide });
    const answer = await askHelper(client, { message: 'remove all' });
    expect(answer).toMatchObject({ status: 'completed', content: 'Finished.' });
    expect(asked).toEqual(['Allow remove with {"text":"all"}?']);
    expect(ran).toEqual([{ text: 'all' }]);
  });

  it.each<[string, Decide | undefined, string]>([
    ['a decline', () => ({ action: 'decline' }), 'did not allow'],
    ['an answer that does not allow it', () => ({ action: 'accept', content: { approved: false } }), 'did not allow'],
    ['a client without elicitation', undefined, 'cannot ask'],
  ])('runs nothing after %s, and the model learns why', async (_what, decide, reason) => {
    const ran: unknown[] = [];
    const { client, model } = await open({ replies: REMOVES, tools: [remove(ran)] }, decide ? { decide } : {});
    expect(await askHelper(client, { message: 'remove all' })).toMatchObject({ content: 'Finished.' });
    expect(ran).toEqual([]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(reason);
  });

  it("passes a tool's own question on, and its answer back", async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const where = buildTool({ name: 'where', run: (_args, { ask }) => ask({ text: 'Which city?', schema }) });
    const replies = [{ calls: [{ name: 'where', arguments: {} }] }, { text: 'Done.' }];
    const decide: Decide = () => ({ action: 'accept', content: { city: 'Paris' } });
    const { client, model } = await open({ replies, tools: [where] }, { decide });
    expect(await askHelper(client, { message: 'where?' })).toMatchObject({ content: 'Done.' });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Paris');
  });

  it('returns failures as results with a code', async () => {
    const { client } = await open({ replies: [{ error: new Error('broken') }] });
    expect(await askHelper(client, { message: 'hello' })).toMatchObject({ isError: true, status: 'error' });
    const missing = await askHelper(client, { message: 'hello', session_id: newUlid() });
    expect(missing).toMatchObject({ isError: true, code: 'conversation_not_found' });
    const forged = await askHelper(client, { message: 'hello', user_id: newUlid() });
    expect(forged).toMatchObject({ isError: true, code: 'invalid_request' });
    await expect(client.callTool({ name: 'ask_nobody', arguments: {} })).rejects.toThrow('no tool');
  });

  it("keeps another user's conversations apart, and shows the user's own as Markdown", async () => {
    const { client, url } = await open({ replies: () => 'Hi.' });
    const { session_id } = await askHelper(client, { message: 'hello' });
    const uri = `holodeck://conversations/${session_id}`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown', text: expect.stringContaining('Hi.') }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'holodeck://conversations/{id}' },
    ]);
    const bob = await openClient(url, { era, as: 'bob' });
    expect((await bob.listResources()).resources).toEqual([]);
    const failureOf = (of: string) =>
      bob
        .readResource({ uri: `holodeck://conversations/${of}` })
        .catch((error) => String(error).replaceAll(of, '<id>'));
    expect(await failureOf(session_id)).toBe(await failureOf(newUlid()));
    const foreign = await askHelper(bob, { message: 'hello', session_id });
    expect(foreign).toMatchObject({ isError: true, code: 'conversation_not_found' });
  });

  it("offers the agent's own tools only if the agent says so, bound and approved as in a chat", async () => {
    const ran: unknown[] = [];
    const bound = buildTool({
      name: 'mine',
      inputSchema: { type: 'object', properties: { user_id: { type: 'string' }, text: { type: 'string' } } },
      bind: { user_id: '$user.id' },
    });
    const scene = { replies: [], tools: [bound, remove(ran)], agent: { server: { mcp_tools: true } } };
    let approved = true;
    const decide: Decide = () => ({ action: 'accept', content: { approved } });
    const { client, url } = await open(scene, { decide });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_helper', 'helper_mine', 'helper_remove']);
    expect(JSON.stringify(tools)).not.toContain('user_id');
    const mine = await client.callTool({ name: 'helper_mine', arguments: { text: 'a' } });
    expect(mine.structuredContent).toEqual({ user_id: '11111111-1111-4111-8111-111111111111', text: 'a' });
    const removed = await client.callTool({ name: 'helper_remove', arguments: { text: 'a' } });
    expect([removed.content, ran]).toEqual([[{ type: 'text', text: 'removed' }], [{ text: 'a' }]]);
    approved = false;
    const refused = await client.callTool({ name: 'helper_remove', arguments: { text: 'b' } });
    expect(refused).toMatchObject({ isError: true });
    const unable = await openClient(url, { era });
    const denied = await unable.callTool({ name: 'helper_remove', arguments: { text: 'c' } });
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cannot ask') }] });
    expect(ran).toHaveLength(1);
  });

  it('does not offer them without the switch, also by name', async () => {
    const { client } = await open({ replies: [] });
    await expect(client.callTool({ name: 'helper_echo', arguments: {} })).rejects.toThrow('no tool');
  });
});

describe('a client of SDK 1.x, which checks structured content of errors too', () => {
  it('shows the sentence of every failure', async () => {
    const failing = buildTool({ name: 'fail', run: () => Promise.reject(new Error('broken')) });
    const scene = {
      replies: [{ error: new Error('broken') }],
      tools: [failing],
      agent: { server: { mcp_tools: true } },
    };
    const { url } = await openServer(scene);
    const client = await openClient(url, { era: '1.x' });
    await client.listTools();
    const textOf = async (name: string, args: object) => {
      const { isError, content } = await client.callTool({ name, arguments: { ...args } });
      const [part] = content;
      return { isError, text: part?.type === 'text' && part.text };
    };
    const missing = { message: 'hello', session_id: newUlid() };
    const sentences = [await textOf('ask_helper', { message: 'hello' }), await textOf('ask_helper', missing)];
    expect(sentences).toEqual([
      { isError: true, text: expect.stringContaining('Something went wrong') },
      { isError: true, text: 'There is no such conversation. Leave out session_id to start a new one.' },
    ]);
    expect(await textOf('ask_helper', {})).toMatchObject({ isError: true, text: expect.stringContaining('message') });
    expect(await textOf('helper_fail', {})).toMatchObject({ isError: true, text: expect.stringContaining('fail') });
  });
});

describe('requests outside a session', () => {
  const accept = { accept: 'application/json, text/event-stream' };
  const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const askOld = rpc('tools/call', { name: 'ask_helper', arguments: { message: 'remove all' } });

  it('of older revisions are served by themselves: nobody can be asked, and nothing runs', async () => {
    const ran: unknown[] = [];
    const { call } = await openServer({ replies: REMOVES, tools: [remove(ran)] });
    const answer = await (await call('POST /mcp', { body: askOld, headers: accept })).text();
    expect(answer).toContain('Finished.');
    expect(ran).toEqual([]);
  });

  it("with another user's session are requests of their own user", async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const clientInfo = { name: 'old', version: '1' };
    const hello = rpc('initialize', { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo });
    const opened = await call('POST /mcp', { body: hello, headers: accept });
    const session = { ...accept, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect(session['mcp-session-id']).not.toBe('');
    const askedBy = async (as: string) => (await call('POST /mcp', { as, body: askOld, headers: session })).text();
    expect(await askedBy('bob')).toContain('Hi.');
    const listed = async (as: string) => (await call('GET /sessions', { as })).json();
    expect(await listed('alice')).toMatchObject({ sessions: [] });
    expect(await listed('bob')).toMatchObject({ sessions: [{ agent: 'helper' }] });
  });

  it.each<[string, unknown, number]>([
    ['no object', 5, 400],
    ['a batch of nothing', [], 400],
    ['a method of nobody', rpc('nothing'), 200],
    ['a call without a name', rpc('tools/call'), 200],
    ['a deep body', `${'['.repeat(100)}${']'.repeat(100)}`, 400],
    ['a large body', `"${'x'.repeat(29 * 1024 * 1024)}"`, 413],
  ])('with %s get an answer', async (_what, body, status) => {
    const { call } = await openServer({ replies: [] });
    const response = await call('POST /mcp', { body, headers: accept });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/node_modules|\.ts:/);
  });

  it('other than POST are refused with the methods that are not', async () => {
    const { call } = await openServer({ replies: [] });
    const responses = await Promise.all(['GET', 'DELETE'].map((method) => call(`${method} /mcp`)));
    expect(responses.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'POST'],
      [405, 'POST'],
    ]);
  });
});

describe('signing in', () => {
  const jwt = { secret: 'x'.repeat(32), issuer: 'https://login.example.com', audience: 'holodeck' };

  it('begins with a refusal that names the metadata, which names the issuer', async () => {
    const agent = { server: { auth: { jwt } } };
    const { call, url } = await openServer({ replies: [], agent });
    const refused = await call('POST /mcp', { as: 'mallory', body: {} });
    const [, address = ''] =
      /^Bearer resource_metadata="(.+)"$/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect([refused.status, address]).toEqual([401, `${url}/.well-known/oauth-protected-resource/mcp`]);
    const metadata = await (await fetch(address)).json();
    expect(metadata).toEqual({
      resource: `${url}/mcp`,
      authorization_servers: ['https://login.example.com'],
      bearer_methods_supported: ['header'],
      resource_name: 'HoloDeck',
    });
    expect(await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()).toEqual(metadata);
  });

  it('names https behind a trusted proxy', async () => {
    const agent = { server: { auth: { jwt }, trust_proxy: true, allowed_hosts: ['agents.example.com'] } };
    const { call } = await openServer({ replies: [], agent });
    const headers = { 'x-forwarded-host': 'agents.example.com', 'x-forwarded-proto': 'https' };
    const metadata = await (await call('GET /.well-known/oauth-protected-resource', { headers })).json();
    expect(metadata).toMatchObject({ resource: 'https://agents.example.com/mcp' });
  });

  it('has no metadata where there is none', async () => {
    const { call } = await openServer({ replies: [] });
    expect((await call('GET /.well-known/oauth-protected-resource')).status).toBe(404);
  });
});
