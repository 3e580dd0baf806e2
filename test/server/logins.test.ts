import { describe, expect, it, onTestFinished } from 'vitest';
import { createHandler } from '../../src/index.ts';
import { AgentFile } from '../../src/schema/agent.ts';
import { startLoginServer } from '../fakes/login-server.ts';
import { openServer } from './server.ts';

async function open(own: Record<string, unknown> = {}) {
  const login = await startLoginServer();
  onTestFinished(() => login.close());
  const mail = { name: 'mail', type: 'mcp', transport: 'http', url: login.url, auth: 'oauth' };
  const { tools } = AgentFile.parse({ name: 'helper', instructions: 'Help.', tools: [mail] });
  const server = await openServer({
    replies: [{ text: 'hello' }],
    agent: { tools, ...own },
  });
  /** The page: begins a login in a browser and keeps its cookie. */
  const begin = async (as: string) => {
    const response = await server.call('POST /agent/helper/logins/mail', { as });
    const cookie = response.headers.get('set-cookie') ?? '';
    return { cookie, pair: cookie.split(';')[0] ?? '', url: ((await response.json()) as { url: string }).url };
  };
  const isLoggedIn = async (as: string) => {
    const response = await server.call('GET /agent/helper/logins', { as });
    return ((await response.json()) as { logins: object[] }).logins;
  };
  return { ...server, login, begin, isLoggedIn };
}

describe('a login over HTTP', () => {
  it('begins with a cookie, and ends at the callback in the same browser', async () => {
    const { login, begin, call, isLoggedIn, lines, url: own } = await open();
    expect(await isLoggedIn('alice')).toEqual([{ server: 'mail', logged_in: false }]);
    const begun = await begin('alice');
    expect(begun.cookie).toMatch(/^holodeck_login=\S+; Path=\/oauth\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(new URL(begun.url).searchParams.get('redirect_uri')).toBe(`${own}/oauth/callback`);
    const back = await login.visit(begun.url, 'alice');
    const ask = () => call(`GET /oauth/callback${back.search}`, { as: 'alice', headers: { cookie: begun.pair } });
    const done = await ask();
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are logged in to mail.')]);
    expect([await isLoggedIn('alice'), await isLoggedIn('bob')]).toEqual([
      [{ server: 'mail', logged_in: true }],
      [{ server: 'mail', logged_in: false }],
    ]);
    expect((await ask()).status).toBe(400);
    const ended = await call('DELETE /agent/helper/logins/mail', { as: 'alice' });
    expect(await ended.json()).toEqual({ ended: 'revoked' });
    expect(login.secrets.filter((secret) => lines.join('').includes(secret))).toEqual([]);
  });

  it("ends below the base path of an app, also if the app's own cookie stays behind", async () => {
    const { login, runtime } = await open();
    const user = ({ headers }: Request) => /(?:^|;\s*)session=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
    const handle = createHandler(runtime, { user, basePath: '/api/agents' });
    const site = 'https://shop.example.com/api/agents';
    const headers = { cookie: 'session=ann', origin: 'https://shop.example.com' };
    const logins = `${site}/agent/helper/logins`;
    const begun = await handle(new Request(`${logins}/mail`, { method: 'POST', headers }));
    expect(begun.headers.get('set-cookie')).toContain('; Path=/api/agents/oauth/callback; ');
    const { url } = Object(await begun.json());
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${site}/oauth/callback`);
    const back = await login.visit(url, 'ann');
    // A browser that comes from the login server sends no cookie with SameSite=Strict.
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const arrived = {
      cookie,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const done = await handle(new Request(`${site}/oauth/callback${back.search}`, { headers: arrived }));
    const page = await done.text();
    expect([done.status, page]).toEqual([200, expect.stringContaining('You are logged in to mail.')]);
    // The app has a page there; below the base path there is none.
    expect(page).toContain('href="/"');
    const list = await handle(new Request(logins, { headers }));
    expect(await list.json()).toEqual({ logins: [{ server: 'mail', logged_in: true }] });
  });

  it('needs no token at the callback where authentication is on: state and cookie name the user', async () => {
    const jwt = { secret: 'x'.repeat(32), issuer: 'https://login.example.com', audience: 'holodeck' };
    const { login, begin, isLoggedIn, url } = await open({ server: { auth: { jwt } } });
    const begun = await begin('alice');
    const back = await login.visit(begun.url, 'alice');
    const visit = (cookie?: string) =>
      fetch(`${url}/oauth/callback${back.search}`, cookie === undefined ? {} : { headers: { cookie } });
    expect((await fetch(`${url}/agent/helper/logins`)).status).toBe(401);
    expect([await isLoggedIn('alice'), (await visit(begun.pair)).status]).toEqual([
      [{ server: 'mail', logged_in: false }],
      200,
    ]);
    expect([await isLoggedIn('alice'), await isLoggedIn('bob')].flat()).toEqual([
      { server: 'mail', logged_in: true },
      { server: 'mail', logged_in: false },
    ]);
    expect((await visit(begun.pair)).status).toBe(400);
    const second = await begin('bob');
    const stolen = await login.visit(second.url, 'mallory');
    expect((await fetch(`${url}/oauth/callback${stolen.search}`)).status).toBe(400);
  });

  it('counts in no other browser, and for no other user', async () => {
    const { login, begin, call, isLoggedIn } = await open();
    for (const [as, cookie] of [
      ['alice', undefined],
      ['alice', 'holodeck_login=guessed'],
      ['bob', 'own'],
    ] as const) {
      const begun = await begin('alice');
      const back = await login.visit(begun.url, 'mallory');
      const headers = cookie === undefined ? {} : { cookie: cookie === 'own' ? begun.pair : cookie };
      expect((await call(`GET /oauth/callback${back.search}`, { as, headers })).status).toBe(400);
    }
    expect([await isLoggedIn('alice'), await isLoggedIn('bob')].flat()).toEqual([
      { server: 'mail', logged_in: false },
      { server: 'mail', logged_in: false },
    ]);
    expect(login.forms).toEqual([]);
  });

  it('shows a refusal as text, whatever the address holds', async () => {
    const { call } = await open();
    const response = await call('GET /oauth/callback?state=%3Cscript%3E&error=%3Cscript%3E', { as: 'alice' });
    expect([response.status, await response.text()]).toEqual([400, expect.not.stringContaining('<script>')]);
  });

  it('is needed before a turn can use the server; the turn says so and goes on', async () => {
    const { call } = await open();
    const stream = await call('POST /agent/helper/chat/stream', { as: 'alice', body: { message: 'hello' } });
    const text = await stream.text();
    expect(text).toContain('mail needs a login');
    expect(text).toContain('hello');
  });

  it('is not found for a server without logins', async () => {
    const { call } = await open();
    expect((await call('POST /agent/helper/logins/files', { as: 'alice' })).status).toBe(404);
    expect((await call('DELETE /agent/helper/logins/files', { as: 'alice' })).status).toBe(404);
  });
});
