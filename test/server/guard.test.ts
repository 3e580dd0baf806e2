import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openServer, readAnswer } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const body = { message: 'hello' };

/** Sends raw bytes and reads until the server closes. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe('hosts and origins', () => {
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', ''])(
    'refuses the host %j',
    async (host) => {
      const { port } = await openServer({ replies: [] });
      const head = `GET /sessions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer alice\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(port, head)).toMatch(/^HTTP\/1\.1 4(21|00)/);
    },
  );

  it('knows the hosts that are listed, with any port unless one is named', async () => {
    const agent = { server: { allowed_hosts: ['agents.example', 'other.example:8443'] } };
    const { port } = await openServer({ replies: [], agent });
    const ask = async (host: string) => {
      const head = `GET /sessions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer alice\r\nconnection: close\r\n\r\n`;
      return (await sendRaw(port, head)).slice(9, 12);
    };
    const hosts = ['agents.example', 'AGENTS.example:99', 'other.example:8443', 'other.example:1', 'localhost:1'];
    expect(await Promise.all(hosts.map(ask))).toEqual(['200', '200', '200', '421', '200']);
  });

  it.each(['https://evil.example', 'null', 'http://localhost:1'])('refuses the origin %s', async (origin) => {
    const { call } = await openServer({ replies: [] });
    const response = await call(CHAT, { body, headers: { origin } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it.each(['cross-site', 'same-site'])('refuses requests of a %s page without an Origin', async (site) => {
    const headers = { 'sec-fetch-site': site };
    const { call } = await openServer({ replies: () => 'Hi.' });
    expect((await call(CHAT, { body, headers })).status).toBe(403);
    expect((await call('DELETE /sessions/01JCZZZZZZZZZZZZZZZZZZZZZZ', { headers })).status).toBe(403);
    expect((await call('GET /sessions', { headers })).status).toBe(200);
    const own = ['same-origin', 'none'].map((one) => call(CHAT, { body, headers: { 'sec-fetch-site': one } }));
    expect((await Promise.all(own)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('opens no stream for a picture or a script of another page, and follows its links', async () => {
    const { url } = await openServer({ replies: [] });
    // `fetch` of Node sets its own mode.
    const get = async (mode: string) => {
      const headers = { authorization: 'Bearer alice', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode };
      const [response] = await once(request(`${url}/sessions/events`, { headers }).end(), 'response');
      response.resume();
      return response.statusCode;
    };
    expect([await get('no-cors'), await get('navigate')]).toEqual([403, 200]);
  });

  it('takes such a request where it needs a token, or where every origin may call', async () => {
    const jwt = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };
    for (const server of [{ auth: { jwt } }, { cors_origins: ['*'] }]) {
      const { call } = await openServer({ replies: () => 'Hi.', agent: { server } });
      expect((await call(CHAT, { body, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
    }
  });

  it('takes its own origin, and answers listed ones with CORS', async () => {
    const agent = { server: { cors_origins: ['https://app.example'] } };
    const { call, url } = await openServer({ replies: () => 'Hi.', agent });
    expect((await call(CHAT, { body, headers: { origin: url } })).status).toBe(200);
    const cross = await call(CHAT, { body, headers: { origin: 'https://app.example' } });
    expect(cross.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(cross.headers.get('access-control-expose-headers')).toMatch(/location.*preference-applied/);
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const preflight = await call('OPTIONS /agent/helper/chat', { as: 'nobody', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ]);
  });

  it('sends headers that keep browsers careful', async () => {
    const { call } = await openServer({ replies: [] });
    const { headers } = await call('GET /sessions');
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
  });
});

describe('a message', () => {
  it('of invisible characters is empty, on REST and AG-UI', async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const content = '\u200b\u2060\u3164\ufeff';
    const run = { threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {} };
    const answers = [
      await call(CHAT, { body: { message: content } }),
      await call('POST /awp', { body: { ...run, messages: [{ id: 'm', role: 'user', content }] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
    await expect((await call('GET /sessions')).json()).resolves.toEqual({ sessions: [] });
  });
});

describe('limits', () => {
  it('counts the turns of each user', async () => {
    const agent = { server: { rate_limit: { turns_per_minute: 2 } } };
    const { call } = await openServer({ replies: () => 'Hi.', agent });
    const ask = async (as: string) => (await call(CHAT, { as, body })).status;
    expect([await ask('alice'), await ask('alice'), await ask('alice'), await ask('bob')]).toEqual([
      200, 200, 429, 200,
    ]);
    const refused = await call(CHAT, { body });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await readAnswer(refused)).code).toBe('rate_limited');
  });

  it('refuses a body that is too large before it is read', async () => {
    const { port } = await openServer({ replies: [] });
    const head = `POST /agent/helper/chat HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer alice\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\nconnection: close\r\n\r\n{`;
    expect(await sendRaw(port, head)).toMatch(/^HTTP\/1\.1 413[\s\S]*payload_too_large/);
  });

  it("refuses a body so that Node's own fetch in another process sees the response", async () => {
    const { url } = await openServer({ replies: [] });
    const script = `const body = 'x'.repeat(30 * 2 ** 20);
      for (const [as, path] of JSON.parse(process.argv[2])) {
        const headers = { authorization: 'Bearer ' + as, 'content-type': 'application/json' };
        const answer = await fetch(process.argv[1] + path, { method: 'POST', headers, body });
        console.log(answer.status, (await answer.json()).code);
      }`;
    const chat = '/agent/helper/chat';
    const calls = Array.from({ length: 5 }, () => [
      ['alice', chat],
      ['mallory', chat],
      ['alice', '/nothing'],
    ]).flat();
    const args = ['--input-type=module', '-e', script, url, JSON.stringify(calls)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const refusals = '413 payload_too_large\n401 unauthorized\n404 not_found\n';
    expect(stdout).toBe(refusals.repeat(5));
  });

  it('refuses oversized headers and invalid HTTP as problems', async () => {
    const { port } = await openServer({ replies: [] });
    const long = `GET /sessions HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`;
    expect(await sendRaw(port, long)).toMatch(/^HTTP\/1\.1 431[\s\S]*application\/problem\+json[\s\S]*"status":431/);
    expect(await sendRaw(port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400[\s\S]*problem\+json/);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const { url } = await openServer({ replies: [] });
    const response = await fetch(`${url}/agent/helper/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
      body: Buffer.from('{"message":"\xff"}', 'latin1'),
    });
    expect([response.status, (await readAnswer(response)).code]).toEqual([400, 'malformed_body']);
  });
});

describe('forms', () => {
  async function send(form: FormData, path = '/agent/helper/chat') {
    const { url } = await openServer({ replies: ['Hi.'] });
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice' },
      body: form,
    });
    return { status: response.status, answer: await readAnswer(response) };
  }
  const formOf = (fields: Record<string, string | Blob | Blob[]>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
    return form;
  };
  const text = new Blob(['some text'], { type: 'text/plain' });

  it('is read like JSON on the same path', async () => {
    expect(await send(formOf({ message: 'hello' }))).toMatchObject({ status: 200, answer: { content: 'Hi.' } });
    expect(await send(formOf({}))).toMatchObject({ status: 422 });
    expect(await send(formOf({ files: text }))).toMatchObject({ status: 422 });
    expect(await send(formOf({ message: 'hello' }), '/awp')).toMatchObject({ status: 415 });
  });

  it('is named beside JSON where a body of another type comes, and only where it is taken', async () => {
    const { call } = await openServer({ replies: [] });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const detail = async (path: string) =>
      (await readAnswer(await call(`POST ${path}`, { body: 'message=a', headers }))).detail;
    const both = 'Send application/json, or multipart/form-data.';
    expect(await Promise.all(['/agent/helper/chat', '/agent/helper/chat/stream', '/awp'].map(detail))).toEqual([
      both,
      both,
      'Send application/json.',
    ]);
  });

  it.each([
    ['an unknown type', { message: 'a', files: new Blob(['x'], { type: 'video/mp4' }) }, 422, 'invalid_request'],
    ['an empty file', { message: 'a', files: new Blob([], { type: 'text/plain' }) }, 422, 'invalid_request'],
    ['eleven files', { message: 'a', files: Array(11).fill(text) }, 422, 'invalid_request'],
    ['an unknown field', { message: 'a', other: 'b' }, 422, 'invalid_request'],
    [
      'a file of 51 MB',
      { message: 'a', files: new Blob([new Uint8Array(51 * 1024 * 1024)], { type: 'text/plain' }) },
      413,
      'payload_too_large',
    ],
  ])('refuses %s', async (_name, fields, status, code) => {
    expect(await send(formOf(fields))).toMatchObject({ status, answer: { code } });
  });

  it('refuses a form without a boundary', async () => {
    const { call } = await openServer({ replies: [] });
    const response = await call(CHAT, { body: 'x', headers: { 'content-type': 'multipart/form-data' } });
    expect([response.status, (await readAnswer(response)).code]).toEqual([400, 'malformed_body']);
  });
});

describe('the log', () => {
  it('has one line per request, without messages and secrets', async () => {
    const { call, lines } = await openServer({ replies: ['Hi.'] });
    const { session_id } = await readAnswer(await call(CHAT, { body: { message: 'my diary' } }));
    await call('GET /nothing?token=abc');
    await expect.poll(() => lines.length).toBe(2);
    const [chat, missing] = lines.map((line) => JSON.parse(line));
    expect(chat).toEqual({
      time: expect.any(String),
      request_id: expect.any(String),
      method: 'POST',
      path: '/agent/helper/chat',
      status: 200,
      latency_ms: expect.any(Number),
      session_id,
      turn_id: expect.any(String),
    });
    expect(missing).toMatchObject({ path: '/nothing', status: 404, error: 'not_found' });
    expect(lines.join('')).not.toMatch(/my diary|alice|abc/);
  });

  it('holds the message when it is asked to', async () => {
    const { call, lines } = await openServer({ replies: ['Hi.'], app: { debug: true } });
    await call(CHAT, { body: { message: 'my diary' } });
    await expect.poll(() => lines.join('')).toContain('my diary');
  });
});
