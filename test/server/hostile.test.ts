import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openServer, readAnswer } from './server.ts';

const BODY = '{"message":"hello"}';
const ALICE = 'authorization: Bearer alice';
const JSON_BODY = `content-type: application/json\r\ncontent-length: ${BODY.length}`;

/** A request as bytes; the server closes its connection unless `headers` prevent that. */
const request = (line: string, headers: readonly string[] = [], body = '') =>
  `${line}\r\n${['connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`;

/** Sends raw bytes and reads until the server closes, or until `until` matches. */
async function send(port: number, bytes: string | Buffer, { half = false, until = /$^/ } = {}): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(bytes);
  if (half) socket.end();
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (until.test(answer)) break;
  }
  socket.destroy();
  return answer;
}

/** The statuses of all answers, and the code of the last problem. */
function tell(answer: string): string {
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const code = /application\/problem\+json[\s\S]*"code":"(\w+)"/.exec(answer)?.[1];
  return [...statuses, ...(code ? [code] : [])].join(' ');
}

const open = () => openServer({ replies: () => 'Hi.', agent: { server: { rate_limit: { turns_per_minute: 1000 } } } });
const get = (path: string, ...headers: string[]) => request(`GET ${path} HTTP/1.1`, ['host: localhost', ...headers]);
const post = (path: string, headers: readonly string[], body = BODY) =>
  request(`POST ${path} HTTP/1.1`, ['host: localhost', ALICE, ...headers], body);
const chat = (body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(
      post(
        '/agent/helper/chat',
        ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...headers],
        '',
      ),
    ),
    Buffer.from(body),
  ]);

describe('requests from nowhere good', () => {
  it.each<[string, string | Buffer, string]>([
    ['no host', request('GET /sessions HTTP/1.1', [ALICE]), '421 host_not_allowed'],
    ['no host in HTTP/1.0', request('GET /sessions HTTP/1.0', [ALICE]), '421 host_not_allowed'],
    ['HTTP/1.0', request('GET /sessions HTTP/1.0', [ALICE, 'host: localhost']), '200'],
    ['two hosts', get('/sessions', ALICE, 'host: evil'), '421 host_not_allowed'],
    ['a user in the host', request('GET /sessions HTTP/1.1', [ALICE, 'host: localhost@evil']), '421 host_not_allowed'],
    [
      'a forwarded host',
      request('GET / HTTP/1.1', ['host: evil', 'x-forwarded-host: localhost']),
      '421 host_not_allowed',
    ],
    ['a whole address', get('http://localhost/sessions', ALICE), '200'],
    ['a whole address of others', get('http://evil/sessions', ALICE), '421 host_not_allowed'],
    ['a path that cannot be decoded', get('/sessions/%zz', ALICE), '404 not_found'],
    ['a path that is no UTF-8', get('/sessions/%ff', ALICE), '404 not_found'],
    ['such a path without a token', get('/sessions/%zz'), '401 unauthorized'],
    ['a path of two slashes', get('//sessions', ALICE), '404 not_found'],
    ['steps upwards', get('/health/../sessions'), '401 unauthorized'],
    ['a NUL', get('/sessions/%00', ALICE), '422 invalid_request'],
    ['a query twice', get('/sessions?limit=1&limit=2', ALICE), '422 invalid_request'],
    ['a query named __proto__', get('/sessions?__proto__=1', ALICE), '422 invalid_request'],
    ['TRACE', request('TRACE /sessions HTTP/1.1', ['host: localhost', ALICE]), '405 method_not_allowed'],
    ['OPTIONS', request('OPTIONS /sessions HTTP/1.1', ['host: localhost', ALICE]), '405 method_not_allowed'],
    ['OPTIONS of all', request('OPTIONS * HTTP/1.1', ['host: localhost', ALICE]), '404 not_found'],
    [
      'PUT',
      request('PUT /sessions HTTP/1.1', ['host: localhost', ALICE, 'content-length: 3'], 'abc'),
      '405 method_not_allowed',
    ],
    ['a method of its own', request('FOO / HTTP/1.1', ['host: localhost']), '400 malformed_body'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 malformed_body'],
    ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), '400 malformed_body'],
    ['a websocket', get('/sessions', ALICE, 'upgrade: websocket', 'sec-websocket-version: 13'), '200'],
  ])('%s', async (_name, bytes, expected) => {
    const { port } = await open();
    expect(tell(await send(port, bytes))).toBe(expected);
  });

  it('are answered to HEAD as to GET, without the body', async () => {
    const { port } = await open();
    const head = (path: string, ...headers: string[]) =>
      send(port, request(`HEAD ${path} HTTP/1.1`, ['host: localhost', ...headers]));
    const answers = [
      await head('/health'),
      await head('/ready'),
      await head('/sessions', ALICE),
      await head('/sessions'),
    ];
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '200', '401']);
    expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual(['', '', '', '']);
  });
});

describe('bodies from nowhere good', () => {
  it.each<[string, string | Buffer, string]>([
    ['UTF-16', chat(Buffer.from(BODY, 'utf16le')), '400 malformed_body'],
    ['UTF-16 with its mark', chat(Buffer.from(`\ufeff${BODY}`, 'utf16le')), '400 malformed_body'],
    ['UTF-8 with a mark', chat(`\ufeff${BODY}`), '200'],
    ['gzip', chat(Buffer.from([0x1f, 0x8b, 8, 0]), 'content-encoding: gzip'), '415 unsupported_media_type'],
    ['JSON that is called gzip', chat(BODY, 'content-encoding: gzip'), '415 unsupported_media_type'],
    ['as it is', chat(BODY, 'content-encoding: identity'), '200'],
    ['half of a character', chat('{"message":"a\\ud800"}'), '422 invalid_request'],
    ['__proto__ in escapes', chat('{"message":"a","\\u005f_proto__":{}}'), '400 malformed_body'],
    ['100,000 levels', chat(`{"message":${'['.repeat(100_000)}`), '400 malformed_body'],
    [
      'a type of its own',
      post('/agent/helper/chat', ['content-type: application/x+json', 'content-length: 19']),
      '415 unsupported_media_type',
    ],
    ['no type', post('/agent/helper/chat', ['content-length: 19']), '415 unsupported_media_type'],
    [
      'pieces',
      post(
        '/agent/helper/chat',
        ['content-type: application/json', 'transfer-encoding: chunked'],
        `13\r\n${BODY}\r\n0\r\n\r\n`,
      ),
      '200',
    ],
    [
      'pieces of no size',
      post('/agent/helper/chat', ['content-type: application/json', 'transfer-encoding: chunked'], 'zz\r\n{'),
      '400 malformed_body',
    ],
    [
      'pieces and a length',
      post('/agent/helper/chat', [JSON_BODY, 'transfer-encoding: chunked'], `13\r\n${BODY}\r\n0\r\n\r\n`),
      '400 malformed_body',
    ],
    ['two lengths', post('/agent/helper/chat', [JSON_BODY, 'content-length: 5']), '400 malformed_body'],
    [
      'no body to cancel',
      post('/sessions/01M7GWT5CFKF37C7YKJJW1M5E1/cancel', ['content-type: application/json', 'content-length: 0'], ''),
      '404 conversation_not_found',
    ],
  ])('%s', async (_name, bytes, expected) => {
    const { port } = await open();
    expect(tell(await send(port, bytes))).toBe(expected);
  });

  it.each([
    ['pieces', ['content-type: application/json', 'transfer-encoding: chunked'], '13\r\n{"mess'],
    ['a length', ['content-type: application/json', 'content-length: 100'], '{"mess'],
    [
      'a form',
      ['content-type: multipart/form-data; boundary=x', 'content-length: 1000'],
      '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc',
    ],
  ])('that end in the middle of %s begin no turn', async (_name, headers, body) => {
    const { port, runtime, call, lines } = await open();
    await send(port, post('/agent/helper/chat', headers, body), { half: true });
    expect((await readAnswer(await call('GET /sessions'))).sessions).toEqual([]);
    expect(runtime.activeTurns).toBe(0);
    expect(lines.join('')).not.toContain('"status":5');
  });

  it('are asked for only when they are wanted', async () => {
    const { port } = await open();
    const ask = (as: string) =>
      send(
        port,
        request(
          'POST /agent/helper/chat HTTP/1.1',
          ['host: localhost', `authorization: Bearer ${as}`, JSON_BODY, 'expect: 100-continue'],
          as === 'alice' ? BODY : '',
        ),
      );
    expect(tell(await ask('alice'))).toBe('100 200');
    expect(tell(await ask('mallory'))).toBe('401 unauthorized');
  });
});

describe('several requests on one connection', () => {
  const ready = get('/ready').replace('connection: close', 'connection: keep-alive');

  it('are answered in their order', async () => {
    const { port } = await open();
    const stream = post('/agent/helper/chat/stream', [JSON_BODY]).replace(
      'connection: close',
      'connection: keep-alive',
    );
    expect(tell(await send(port, `${ready}${stream}${get('/nothing', ALICE)}`))).toBe('200 200 404 not_found');
  });

  it('never take the body of a refused one for the next', async () => {
    const { port, lines } = await open();
    const hidden = get('/sessions', ALICE);
    const refused = post(
      '/agent/helper/chat',
      ['content-type: text/plain', `content-length: ${hidden.length}`],
      hidden,
    );
    await send(port, refused.replace('connection: close', 'connection: keep-alive') + get('/ready'), { half: true });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain('"path":"/sessions"');
  });
});

describe('Idempotency-Key', () => {
  it.each([
    ['nothing', '', 422],
    ['spaces', '   ', 422],
    ['201 characters', 'k'.repeat(201), 422],
    ['no ASCII', 'k\u00e9y', 422],
    ['200 characters', 'k'.repeat(200), 200],
    ['an AG-UI key', 'ag-ui:["t","r"]', 200],
  ])('of %s', async (_name, key, status) => {
    const { port } = await open();
    const answer = await send(port, Buffer.from(chat(BODY, `idempotency-key: ${key}`).toString('latin1'), 'latin1'));
    expect(answer.slice(9, 12)).toBe(String(status));
  });

  it('of one user is nothing to another', async () => {
    const { call } = await open();
    const ask = async (as: string) =>
      readAnswer(
        await call('POST /agent/helper/chat', { as, body: { message: 'a' }, headers: { 'idempotency-key': 'k' } }),
      );
    const [alice, bob, again] = [await ask('alice'), await ask('bob'), await ask('alice')];
    expect([alice.session_id === bob.session_id, alice.session_id === again.session_id]).toEqual([false, true]);
  });
});

describe('Last-Event-ID', () => {
  it.each([
    ['another user', 'bob'],
    ['another conversation', 'alice'],
  ])('of %s is refused', async (_name, as) => {
    const { call } = await open();
    const begin = async (who: string) =>
      readAnswer(await call('POST /agent/helper/chat', { as: who, body: { message: 'a' } }));
    const [own, other] = [await begin('alice'), await begin(as)];
    const told = await (await call(`GET /sessions/${other.session_id}/events`, { as })).text();
    const id = /^id: (\S+)/m.exec(told)?.[1] ?? '';
    const refused = await call(`GET /sessions/${own.session_id}/events`, { headers: { 'last-event-id': id } });
    expect([refused.status, (await readAnswer(refused)).code]).toEqual([422, 'invalid_request']);
    const unknown = `01M7GM0AN3XYXWB1V5W0BVNSWS${id.slice(26)}`;
    const same = await call(`GET /sessions/${own.session_id}/events`, { headers: { 'last-event-id': unknown } });
    expect(same.status).toBe(422);
  });
});
