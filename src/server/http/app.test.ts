import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { toAppError } from '../../errors.ts';
import { createHttpApp, createRouter, type HttpApp } from './app.ts';
import { checkDepth, MAX_DEPTH, readBody } from './body.ts';

const MAX_BYTES = 1_000;
const opened: HttpApp[] = [];

async function openApp(addRoutes: (app: HttpApp) => void): Promise<string> {
  const app = createHttpApp({
    trustsProxy: false,
    onError: (error, _request, reply) => reply.code(toAppError(error).status).send(toAppError(error).code),
    onNotFound: (_request, reply) => reply.code(404).send('nothing here'),
    onBrokenRequest: (_error, socket) => socket.destroy(),
  });
  app.addBodyReader('text/plain', async ({ source }) => String(await readBody(source, MAX_BYTES)));
  addRoutes(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  opened.push(app);
  return `http://127.0.0.1:${portOf(app)}`;
}

function portOf(app: HttpApp): number {
  return (app.server.address() as AddressInfo).port; // a listening TCP server has one
}

async function send(base: string, lines: string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\nhost: localhost\r\n\r\n${body}`);
  return text(socket);
}

const post = (base: string, body: string, type = 'text/plain') =>
  fetch(base, { method: 'POST', body, headers: { 'content-type': type } });

afterEach(async () => {
  for (const app of opened.splice(0)) {
    app.server.closeAllConnections();
    await app.close();
  }
});

describe('createHttpApp', () => {
  it('runs hooks in order before the route, and for an unknown path', async () => {
    const steps: string[] = [];
    const base = await openApp((app) => {
      app.addHook(async () => void steps.push('first'));
      app.addHook(() => void steps.push('second'));
      app.get('/', () => void steps.push('route'));
    });
    await fetch(base);
    await fetch(`${base}/else`);
    expect(steps).toEqual(['first', 'second', 'route', 'first', 'second']);
  });

  it('stops once a hook has answered or thrown', async () => {
    const base = await openApp((app) => {
      app.addHook(({ headers }, reply) => {
        if (headers.accept === 'a/a') reply.code(204).send();
        if (headers.accept === 'b/b') throw new Error('no');
      });
      app.get('/', () => 'route');
    });
    const statuses = ['a/a', 'b/b', 'c/c'].map(async (accept) => (await fetch(base, { headers: { accept } })).status);
    expect(await Promise.all(statuses)).toEqual([204, 500, 200]);
  });

  it('sends text unchanged, anything else as JSON, and only headers for HEAD', async () => {
    const base = await openApp((app) => {
      app.get('/text', (_request, reply) => reply.type('text/html').send('<b>ü</b>'));
      app.get('/json', () => ({ ü: 1 }));
    });
    const html = await fetch(`${base}/text`);
    expect([html.headers.get('content-type'), await html.text()]).toEqual(['text/html', '<b>ü</b>']);
    const json = await fetch(`${base}/json`);
    expect([json.headers.get('content-type'), await json.json()]).toEqual([
      'application/json; charset=utf-8',
      { ü: 1 },
    ]);
    const head = await fetch(`${base}/json`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '8', '']);
  });

  it('reads a body by its media type, and refuses an unsupported one', async () => {
    const base = await openApp((app) => app.post('/', (request) => ({ body: request.takeBody() })));
    const answers = [
      post(base, 'hello', 'TEXT/plain; charset=utf-8'),
      post(base, '{}', 'application/json'),
      fetch(base, { method: 'POST' }),
    ].map(async (asked) => {
      const answer = await asked;
      return [answer.status, await answer.text()];
    });
    expect(await Promise.all(answers)).toEqual([
      [200, '{"body":"hello"}'],
      [415, 'unsupported_media_type'],
      [200, '{}'],
    ]);
  });

  it('refuses a body that is too large, announced or not, and reads nothing more from its connection', async () => {
    const base = await openApp((app) => app.post('/', (request) => request.takeBody()));
    const head = ['POST / HTTP/1.1', 'content-type: text/plain'];
    const announced = await send(base, [...head, 'content-length: 2000'], 'x');
    expect(announced).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*payload_too_large$/i);
    const chunked = await send(base, [...head, 'transfer-encoding: chunked'], `7d0\r\n${'x'.repeat(2000)}\r\n`);
    expect(chunked).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*payload_too_large$/i);
  });

  it('reads a bounded part of a refused body, and runs no request after it', async () => {
    const seen: string[] = [];
    const base = await openApp((app) => {
      app.addHook(({ path }) => void seen.push(path));
      app.post('/', (request) => request.takeBody());
    });
    const head = ['POST / HTTP/1.1', 'content-type: text/plain'];
    const next = 'GET /next HTTP/1.1\r\nhost: localhost\r\n\r\n';
    await send(base, [...head, 'content-length: 2000'], `${'x'.repeat(2000)}${next}`);
    expect(seen).toEqual(['/']);
    const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => {});
    socket.write(`${head.join('\r\n')}\r\ncontent-length: 9000000000\r\nhost: localhost\r\n\r\n`);
    const piece = Buffer.alloc(4 * 1024 * 1024);
    let [sent, isCut] = [0, false];
    for (; !isCut && sent < 2 ** 31; sent += piece.length)
      isCut = await new Promise((resolve) => socket.write(piece, (error) => resolve(Boolean(error))));
    expect(sent).toBeLessThan(2 ** 31);
  });

  it('answers 500 for a value that JSON cannot represent', async () => {
    const base = await openApp((app) => app.get('/', () => ({ count: 1n })));
    expect((await fetch(base)).status).toBe(500);
  });

  it('cuts a response that has begun when its route fails', async () => {
    const base = await openApp((app) =>
      app.get('/', async (_request, reply) => {
        reply.sink.writeHead(200, { ...reply.hijack(), 'content-type': 'text/plain' });
        reply.sink.write('half');
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('no');
      }),
    );
    const answer = await fetch(base);
    await expect(answer.text()).rejects.toThrow();
  });

  it('closes after its last response, although its client would keep the connection', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<string>();
    const base = await openApp((app) =>
      app.get('/', () => {
        asked.resolve();
        return answered.promise;
      }),
    );
    const answer = fetch(base);
    await asked.promise;
    const closed = opened.splice(0)[0]?.close();
    answered.resolve('done');
    expect(await (await answer).text()).toBe('done');
    await closed;
  });
});

function find(method: string, path: string): unknown {
  const router = createRouter<string>();
  router.add('GET', '/', 'root');
  router.add('GET', '/sessions', 'list');
  router.add('GET', '/sessions/:id', 'one');
  router.add('DELETE', '/sessions/:id', 'delete');
  router.add('POST', '/agent/:name/chat', 'chat');
  const found = router.find(method, path);
  return found && [found.target, found.params];
}

describe('createRouter', () => {
  it.each([
    ['GET', '/', ['root', {}]],
    ['GET', '/sessions', ['list', {}]],
    ['GET', '/sessions/', ['list', {}]],
    ['GET', '/sessions/1', ['one', { id: '1' }]],
    ['DELETE', '/sessions/1/', ['delete', { id: '1' }]],
    ['POST', '/agent/a%20b/chat', ['chat', { name: 'a b' }]],
    ['POST', '/agent/__proto__/chat', ['chat', { name: '__proto__' }]],
    ['GET', '/%73essions', ['list', {}]],
  ])('finds %s %s', (method, path, expected) => {
    expect(find(method, path)).toEqual(expected);
  });

  it.each([
    ['POST', '/sessions'],
    ['GET', '//sessions'],
    ['GET', '/sessions//'],
    ['GET', '/sessions/1/2'],
    ['GET', '/sessions/%E0%A4%A'],
    ['GET', `/sessions/${'x'.repeat(201)}`],
    ['POST', '/agent//chat'],
    ['GET', 'http://elsewhere/sessions'],
    ['GET', '*'],
    ['GET', ''],
  ])('finds nothing for %s %s', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});

const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepest = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(deepest)) : 0;

describe('checkDepth', () => {
  it('accepts depth up to the limit, and nothing deeper', () => {
    expect(() => checkDepth(nest(MAX_DEPTH))).not.toThrow();
    expect(() => checkDepth(nest(MAX_DEPTH + 1))).toThrow(/deeper/);
  });

  it('never counts brackets inside strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = JSON.stringify({ a: `${'['.repeat(100)}${text}\\"${'{'.repeat(100)}` });
        checkDepth(json);
      }),
    );
  });

  it('refuses every JSON text that is too deep, whatever else is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 60, max: 70 }), (value, levels) => {
        const json = `${'[1,'.repeat(levels)}${JSON.stringify(value)}${']'.repeat(levels)}`;
        const isTooDeep = levels + deepest(value) > MAX_DEPTH;
        expect(refuses(json)).toBe(isTooDeep);
      }),
    );
  });
});

function refuses(text: string): boolean {
  try {
    checkDepth(text);
    return false;
  } catch {
    return true;
  }
}
