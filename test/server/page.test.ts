import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ALICE } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { buildWebFolder, openServer, readAnswer, SCRIPT, SCRIPT_NAME, type ServerScene } from './server.ts';

const JWT = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };

function openPage(scene: Partial<ServerScene> = {}) {
  return openServer({ replies: [], ...scene, app: { webFolder: buildWebFolder(), ...scene.app } });
}

/** fetch() normalises paths and decompresses; this sends and returns bytes as they are. */
function getRaw(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

function bootOf(html: string): { agents?: { name: string }[]; me?: { id: string }; auth?: string } {
  return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
}

describe('GET /', () => {
  it('is the page with agents and user, under a strict policy and never cached', async () => {
    const { call } = await openPage({ agent: { description: 'Helps.', starters: ['hello'] } });
    const response = await call('GET /');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    const boot = bootOf(await response.text());
    expect(boot.agents).toEqual(((await (await call('GET /agents')).json()) as { agents: unknown[] }).agents);
    expect(boot.me).toEqual(await (await call('GET /me')).json());
    expect(Object.keys(boot)).toEqual(['agents', 'me']);
  });

  it('holds nothing about anybody where tokens are needed', async () => {
    const { call } = await openPage({ agent: { server: { auth: { jwt: JWT } } } });
    const response = await call('GET /', { as: 'nobody' });
    expect([response.status, bootOf(await response.text())]).toEqual([200, { auth: 'token' }]);
  });

  it('keeps texts of an agent inside their element', async () => {
    const description = '</script><script>alert(1)</script><!-- $& $1';
    const { call } = await openPage({ agent: { description } });
    const html = await (await call('GET /')).text();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(bootOf(html).agents).toMatchObject([{ description }]);
  });

  it('names the command where the page is not built', async () => {
    const { call } = await openPage({ app: { webFolder: temporaryFolder() } });
    const response = await call('GET /');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
    expect((await call('GET /docs')).status).toBe(200);
  });

  it.each([
    ['server.page: false', { agent: { server: { page: false } } }],
    ['--protocol rest', { app: { protocol: 'rest' } }],
  ] satisfies [string, Partial<ServerScene>][])('is 404 with %s, like its files', async (_name, scene) => {
    const { call } = await openPage(scene);
    for (const path of ['/', `/assets/${SCRIPT_NAME}`]) expect((await call(`GET ${path}`)).status).toBe(404);
    expect((await call('GET /docs')).status).toBe(200);
  });

  it('is served with --protocol ag-ui', async () => {
    const { call } = await openPage({ app: { protocol: 'ag-ui' } });
    expect((await call('GET /')).status).toBe(200);
  });
});

describe('GET /assets', () => {
  it.each([
    ['br', 'gzip, deflate, br', 'br'],
    ['br before gzip, whatever the weights', 'gzip;q=1.0, br;q=0.1', 'br'],
    ['gzip', 'gzip, br;q=0', 'gzip'],
    ['no encoding where none fits', 'br;q=0.0, gzip; q=0, zstd', undefined],
    ['no encoding unless asked', undefined, undefined],
  ])('sends %s', async (_name, accept, encoding) => {
    const { port } = await openPage();
    const headers: Record<string, string> = accept === undefined ? {} : { 'accept-encoding': accept };
    const answer = await getRaw(port, `/assets/${SCRIPT_NAME}`, headers);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
  });

  it('sends the same script however it is encoded, without a token', async () => {
    const { call } = await openPage();
    const texts = ['br', 'gzip', 'identity'].map(async (accept) => {
      const answer = await call(`GET /assets/${SCRIPT_NAME}`, { as: 'nobody', headers: { 'accept-encoding': accept } });
      return answer.text();
    });
    expect(new Set(await Promise.all(texts))).toEqual(new Set([SCRIPT]));
    const head = await call(`HEAD /assets/${SCRIPT_NAME}`, { as: 'nobody' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('lets a file without a hash in its name be checked each time', async () => {
    const { call } = await openPage();
    const { headers, status } = await call('GET /assets/icon.svg');
    expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([
      200,
      'no-cache',
      'image/svg+xml',
    ]);
  });

  it.each([
    '/assets/../../secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets/....//secret.js',
    '/assets/%2fetc%2fpasswd',
    '/assets//etc/passwd',
    '/assets/x%00.js',
    '/assets/%ff.js',
    '/assets/notes.txt',
    `/assets/${SCRIPT_NAME}.br`,
    `/assets/${SCRIPT_NAME}%0d%0aset-cookie:a=b.js`,
    '/assets/.js',
    '/assets/index.html',
    '/assets/',
    `/assets/${'a'.repeat(5_000)}.js`,
    '/assets/constructor',
  ])('answers 404 to %j', async (path) => {
    const { port } = await openPage();
    const { status, bytes, headers } = await getRaw(port, path, { authorization: 'Bearer alice' });
    expect([status, headers['set-cookie']]).toEqual([404, undefined]);
    expect(String(bytes)).not.toContain('private');
  });
});

describe('GET /me', () => {
  it('is the user, and who can reach the server', async () => {
    const { call } = await openPage();
    expect(await (await call('GET /me')).json()).toEqual({
      id: ALICE.id,
      name: 'Alice',
      zone: 'UTC',
      auth: 'none',
      reach: 'loopback',
      is_developer: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it.each([
    [undefined, false],
    [true, true],
  ] as const)('with tokens, is_developer %s in the user is %s', async (is_developer, expected) => {
    const { call } = await openPage({
      agent: { server: { host: '0.0.0.0', auth: { jwt: JWT, developer_scope: 'agent:debug' } } },
      app: { identify: () => ({ ...ALICE, ...(is_developer && { is_developer }) }) },
    });
    const me = await (await call('GET /me')).json();
    expect(me).toMatchObject({ auth: 'token', reach: 'network', is_developer: expected });
  });
});

describe('GET /agents', () => {
  it('describes agent, model, tools and state', async () => {
    const tools = [
      { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } },
    ];
    const { call } = await openPage({ agent: { starters: ['a', 'b'], tools } });
    const { agents } = (await (await call('GET /agents')).json()) as { agents: { tools: number }[] };
    expect(agents).toEqual([
      {
        name: 'helper',
        starters: ['a', 'b'],
        model: { provider: 'builtin', name: 'builtin', is_builtin: true },
        tools: expect.any(Number),
        has_domains: false,
        has_tasks: true,
        state: 'ready',
      },
    ]);
    expect(agents[0]?.tools).toBeGreaterThan(1);
  });

  it('answers at once while a tool server starts or is down, and reports it', async () => {
    const source = (name: string, state: 'starting' | 'unavailable') => ({
      name,
      tools: () => new Promise<never>(() => {}),
      status: () => ({ state, ...(state === 'unavailable' && { detail: 'It did not start.' }), tools: [] }),
      close: async () => {},
    });
    const starting = await openPage({ sources: [source('slow', 'starting')] });
    expect(await (await starting.call('GET /agents')).json()).toMatchObject({ agents: [{ state: 'starting' }] });
    const down = await openPage({ sources: [source('shop', 'unavailable')] });
    expect(await (await down.call('GET /agents')).json()).toMatchObject({
      agents: [{ state: 'degraded', problem: 'shop: It did not start.' }],
    });
  });

  it('needs a token', async () => {
    const { call } = await openPage();
    expect((await readAnswer(await call('GET /agents', { as: 'nobody' }))).code).toBe('unauthorized');
  });
});
