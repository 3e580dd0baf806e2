import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../../test/build.ts';
import { type LoginServer, startLoginServer } from '../../../test/fakes/login-server.ts';
import { createSecretMemory } from '../../../test/fakes/secret-memory.ts';
import { callTool, listTools, openSource } from '../../../test/fixtures/mcp-servers/open.ts';
import { systemClock } from '../../clock.ts';
import type { User } from '../../schema/user.ts';
import type { McpSource } from '../supervise/supervisor.ts';
import type { OAuthServer } from './grant.ts';
import { createLogins, type Logins } from './logins.ts';

const keyOf = (byte: number) => ({ id: `key${byte}`, bytes: Buffer.alloc(32, byte) });
const CALLBACK = 'http://127.0.0.1:8000/oauth/callback';

describe('a login to a server', () => {
  let login: LoginServer;
  let server: OAuthServer;
  let memory: ReturnType<typeof createSecretMemory>;
  let logins: Logins;
  let source: McpSource;
  const logged: string[] = [];
  const open = (keys = { current: keyOf(1) }) => createLogins({ memory, keys, clock: systemClock, version: '0' });
  const openTools = (from: Logins) =>
    openSource(
      { name: 'mail', transport: 'http', url: login.url, auth: 'oauth' },
      {
        access: (user) => from.access(server, user),
        log: { warn: (fields, text) => void logged.push(text, JSON.stringify(fields), String(Object.values(fields))) },
      },
    );
  const begin = (user: User) =>
    logins.begin(server, { user, redirectUri: CALLBACK, signal: AbortSignal.timeout(20_000) });
  const finish = async (user: User, back: URL) => {
    const pending = await logins.take(back.searchParams.get('state') ?? '');
    if (!pending) throw new Error('unknown state');
    await logins.finish(server, { user, pending, params: back.searchParams });
  };
  const logIn = async (user: User, who: string) => finish(user, await login.visit((await begin(user)).url, who));
  const whoami = (user: User) => callTool(source, 'whoami', {}, { user });

  beforeEach(async () => {
    login = await startLoginServer();
    server = { agent: 'shop', name: 'mail', url: login.url, allowedHosts: [] };
    memory = createSecretMemory();
    logged.length = 0;
    logins = open();
    source = openTools(logins);
  });
  afterEach(async () => {
    await source.close();
    await login.close();
  });

  it('is asked for with a sentence, without a request to the server', async () => {
    expect(await listTools(source)).toEqual([]);
    expect(source.findObstacle?.(ALICE)).toBe(
      'mail needs a login: you are not logged in. Log in to mail on the web page, or run: holodeck mcp login mail agent.yaml',
    );
    expect([login.seen, source.status().state]).toEqual([[], 'idle']);
  });

  it('makes the tools usable, for this user alone', async () => {
    await logIn(ALICE, 'alice');
    expect(await whoami(ALICE)).toMatchObject({ result: { who: 'alice' } });
    expect(await listTools(source, BOB)).toEqual([]);
    await logIn(BOB, 'bob');
    expect(await whoami(BOB)).toMatchObject({ result: { who: 'bob' } });
    expect(await whoami(ALICE)).toMatchObject({ result: { who: 'alice' } });
    expect(login.registrations).toHaveLength(1);
    expect(login.registrations[0]).toMatchObject({
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
    });
  });

  it('asks for the scope and the resource of the server, with PKCE', async () => {
    const { searchParams } = new URL((await begin(ALICE)).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource: login.url,
      scope: 'use',
      redirect_uri: CALLBACK,
    });
  });

  it('leaves no token in the stored rows, nor in any log', async () => {
    await logIn(ALICE, 'alice');
    await whoami(ALICE);
    login.endAll();
    await whoami(ALICE);
    const stored = [...memory.rows].map(
      ([key, { value }]) => key + value + Buffer.from(value.split('.')[3] ?? '', 'base64url'),
    );
    for (const secret of login.secrets) {
      expect([...stored, ...logged].filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(login.secrets.length).toBeGreaterThan(3);
  });

  it('uses a state once', async () => {
    const back = await login.visit((await begin(ALICE)).url, 'alice');
    await finish(ALICE, back);
    await expect(finish(ALICE, back)).rejects.toThrow('unknown state');
    expect(await logins.take('made-up')).toBeUndefined();
  });

  it('refreshes once for many calls at the same time, and the refresh token is good once', async () => {
    login.rules.expiresIn = 10;
    await logIn(ALICE, 'alice');
    login.rules.expiresIn = 3600;
    const other = openTools(open());
    const calls = [source, source, other, other].map((from) => callTool(from, 'whoami', {}, { user: ALICE }));
    expect(await Promise.all(calls)).toMatchObject(Array(4).fill({ result: { who: 'alice' } }));
    expect(login.forms.filter((form) => form.get('grant_type') === 'refresh_token')).toHaveLength(1);
    await other.close();
  });

  it('refreshes after a refusal, and sends the call again', async () => {
    await logIn(ALICE, 'alice');
    await whoami(ALICE);
    login.expireAll();
    expect(await whoami(ALICE)).toMatchObject({ result: { who: 'alice' } });
    expect(login.forms.at(-1)?.get('grant_type')).toBe('refresh_token');
  });

  it('ends where the server ended it, with a sentence and no crash', async () => {
    await logIn(ALICE, 'alice');
    await whoami(ALICE);
    login.endAll();
    expect(await whoami(ALICE)).toMatchObject({
      error: {
        error_type: 'PermissionDenied',
        message: expect.stringContaining('mail needs a login: the login has ended'),
      },
    });
    expect(await logins.isLoggedIn(ALICE, server)).toBe(false);
    await logIn(ALICE, 'alice');
    expect(await whoami(ALICE)).toMatchObject({ result: { who: 'alice' } });
  });

  it('asks for more rights when a call needs them, and keeps the earlier ones', async () => {
    await logIn(ALICE, 'alice');
    login.rules.callScope = 'admin';
    expect(await whoami(ALICE)).toMatchObject({ error: { message: expect.stringContaining('more rights') } });
    const { url } = await begin(ALICE);
    expect(new URL(url).searchParams.get('scope')).toBe('use admin');
    await finish(ALICE, await login.visit(url, 'alice'));
    expect(await whoami(ALICE)).toMatchObject({ result: { who: 'alice' } });
  });

  it('is opened with the previous key and sealed with the new one', async () => {
    await logIn(ALICE, 'alice');
    expect(await open({ current: keyOf(2) }).isLoggedIn(ALICE, server)).toBe(false);
    const rotated = { current: keyOf(2), previous: keyOf(1) };
    expect(await open(rotated).isLoggedIn(ALICE, server)).toBe(true);
    expect(await open({ current: keyOf(2) }).isLoggedIn(ALICE, server)).toBe(true);
  });

  it('is not sent to another address under the same name', async () => {
    await logIn(ALICE, 'alice');
    expect(await logins.isLoggedIn(ALICE, { ...server, url: 'https://evil.example/mcp' })).toBe(false);
  });

  it('ends by logging out: revoked there, removed here', async () => {
    await logIn(ALICE, 'alice');
    await logIn(BOB, 'bob');
    expect([await logins.end(ALICE, server), await logins.end(ALICE, server)]).toEqual(['revoked', 'none']);
    expect(login.forms.at(-1)?.get('token')).toMatch(/^(?:refresh|access)-/);
    expect(await whoami(BOB)).toMatchObject({ result: { who: 'bob' } });
    expect(await logins.endAll(BOB)).toEqual({ ended: 1, failed: 0 });
    expect([...memory.rows.keys()].filter((key) => key.startsWith(ALICE.id) && key.includes('grant'))).toEqual([]);
    expect([...memory.rows.keys()].filter((key) => key.startsWith(BOB.id))).toEqual([]);
  });

  describe('is refused', () => {
    const refused = async (pattern: RegExp) => {
      await expect(logIn(ALICE, 'alice')).rejects.toMatchObject({
        code: 'login_failed',
        message: expect.stringMatching(pattern),
      });
      expect(await logins.isLoggedIn(ALICE, server)).toBe(false);
    };

    it('if the answer names another issuer, or none', async () => {
      login.rules.callback = { iss: 'https://evil.example' };
      await refused(/another issuer/);
      login.rules.callback = { iss: '' };
      await refused(/another issuer/);
      expect(login.forms).toEqual([]);
    });

    it('if the metadata name another issuer', async () => {
      login.rules.metadata = { issuer: 'https://evil.example' };
      await refused(/another issuer/);
    });

    it('if the metadata are for another server', async () => {
      login.rules.resource = { resource: 'https://evil.example/mcp' };
      await refused(/for another server/);
    });

    it('without PKCE', async () => {
      login.rules.metadata = { code_challenge_methods_supported: ['plain'] };
      await refused(/does not support PKCE/);
    });

    it.each([
      ['a private address', 'https://10.0.0.8/token', /private network/],
      ['an address of the cloud', 'https://169.254.169.254/token', /private network/],
      ['a mapped address', 'https://[::ffff:10.0.0.8]/token', /private network/],
      ['plain http', 'http://login.example.com/token', /not https/],
      ['a password', 'https://a:b@login.example.com/token', /password/],
    ])('if the tokens come from %s', async (_, token_endpoint, pattern) => {
      login.rules.metadata = { token_endpoint };
      await refused(pattern);
    });

    it('if the person would be sent to a script', async () => {
      login.rules.metadata = { authorization_endpoint: 'javascript:alert(1)' };
      await refused(/not https|unusable/);
    });

    it('if the metadata are huge', async () => {
      login.rules.padding = 'x'.repeat(300_000);
      await refused(/more than 256 KB/);
    });

    it('if the metadata are redirected to another host', async () => {
      const other = await startLoginServer();
      login.rules.redirect = `${other.issuer}/.well-known/oauth-authorization-server`;
      await expect(begin(ALICE)).rejects.toMatchObject({ code: 'login_failed' });
      expect(other.seen).toEqual([]);
      await other.close();
    });

    it('if the login server is not the one that the author named', async () => {
      server = { ...server, issuer: 'https://login.example.com' };
      await refused(/not the issuer/);
    });

    it('if the code is another one, and the text of the server stays unread', async () => {
      login.rules.callback = { code: 'stolen' };
      await refused(/invalid_grant/);
      login.rules.errorText = 'your secret is hunter2';
      await refused(/server_error/);
    });
  });
});
