import { createServer, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../../test/build.ts';
import { callTool, listTools, openScript, openSource } from '../../../test/fixtures/mcp-servers/open.ts';
import { SERVED } from '../../../test/fixtures/mcp-servers/served.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { McpSource } from '../supervise/supervisor.ts';
import { type HttpServing, serveHttp, serveStdio } from './serve.ts';

const OPTIONS = { name: 'ours', version: '1', tools: SERVED, user: ALICE };

/** A tool behaves the same for every caller over the protocol. */
function servingContract(name: string, open: () => Promise<{ source: McpSource; close(): Promise<unknown> }>) {
  describe(`tools served over ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    const call = (tool: string, args: JsonObject = {}, context: Partial<ToolContext> = {}) =>
      callTool(opened.source, tool, args, context);
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened.source.close();
      await opened.close();
    });

    it('are listed with their hints', async () => {
      const tools = await listTools(opened.source);
      expect(tools.map(({ name, readOnly, idempotent }) => [name, readOnly, idempotent])).toEqual([
        ['context', true, false],
        ['list', false, true],
        ['nothing', false, false],
        ['refuse', false, false],
        ['throw', false, false],
        ['steps', false, false],
        ['wait', false, false],
      ]);
    });

    it("run for the server's user, with the caller's call, turn and conversation", async () => {
      const place = { callId: 'abc', turnId: 'turn', conversationId: 'talk' };
      expect(await call('context', {}, { ...place, user: BOB })).toEqual({ result: { user: ALICE.id, ...place } });
      const outside = { callId: 'def', conversationId: '' };
      expect(await call('context', {}, outside)).toEqual({ result: { user: ALICE.id, turnId: '', ...outside } });
    });

    it('return lists and null as JSON in the newer era', async () => {
      expect([await call('list'), await call('nothing')]).toEqual([{ result: [1, 2, 3] }, { result: null }]);
    });

    it('return their typed errors', async () => {
      expect(await call('refuse')).toEqual({
        error: { error_type: 'TaskNotFound', message: 'There is no such task.' },
      });
    });

    it('say nothing of what was thrown', async () => {
      expect(await call('throw')).toEqual({
        error: { error_type: 'ToolInvocationError', message: 'throw failed unexpectedly.' },
      });
    });

    it('check their arguments', async () => {
      expect(await call('list', { text: 5 })).toEqual({
        error: {
          error_type: 'ValidationError',
          message: 'text must be text',
          details: [{ path: 'text', message: 'must be text' }],
        },
      });
    });

    it('report progress', async () => {
      const seen: string[] = [];
      const outcome = await call('steps', {}, { progress: (text) => seen.push(text) });
      expect([outcome, seen]).toEqual([{ result: 'all the way' }, ['half way']]);
    });

    it('are stopped when the caller stops, and serve on', async () => {
      const abort = new AbortController();
      const stopped = call('wait', {}, { signal: abort.signal, progress: () => abort.abort(new Error('stop')) });
      await expect(stopped).rejects.toThrow();
      expect(await call('list')).toEqual({ result: [1, 2, 3] });
    });
  });
}

servingContract('stdio', async () => ({ source: openScript(['served.ts']), close: async () => {} }));
servingContract('HTTP', async () => {
  const serving = await serveHttp({ ...OPTIONS, port: 0 });
  return { source: openSource({ transport: 'http', url: serving.url }), close: serving.close };
});

describe('serveStdio', () => {
  it('speaks the older era to an older client, and ends with its input', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const { closed } = await serveStdio(OPTIONS, { input, output });
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'old', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'list', arguments: {} } });
    const received = () =>
      String(output.read() ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    const answers: { id: number; result: unknown }[] = [];
    await expect.poll(() => answers.push(...received())).toBe(2);
    input.end();
    await closed;
    expect(answers).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'ours' } } },
      { id: 2, result: { content: [{ type: 'text', text: '[1,2,3]' }] } },
    ]);
    expect(answers[1]?.result).not.toHaveProperty('structuredContent');
  });
});

describe('serveHttp', () => {
  let serving: HttpServing;
  beforeAll(async () => {
    serving = await serveHttp({ ...OPTIONS, port: 0 });
  });
  afterAll(() => serving.close());

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a name that was bound to this address', { host: 'evil.example' }],
  ])('refuses %s', async (_what, headers) => {
    expect(await statusOf(serving.url, headers)).toBe(403);
  });

  it('answers on its own path only', async () => {
    expect(await statusOf(new URL('/other', serving.url).href, {})).toBe(404);
  });

  it('says that a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await expect.poll(() => taken.address()).not.toBeNull();
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(serveHttp({ ...OPTIONS, port })).rejects.toMatchObject({ code: 'port_in_use' });
    taken.close();
  });
});

/** `fetch` cannot set a Host header; node:http can. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', reject)
    .end('{}');
  return promise;
}

describe('a server of the newer era that asks', () => {
  it('is answered by each user for his own call, also at once over one pipe', async () => {
    const source = openScript(['ask-modern.ts']);
    await listTools(source);
    const ask = (city: string) => async () => ({ city });
    const outcomes = await Promise.all([
      callTool(source, 'ask', {}, { user: ALICE, ask: ask('Paris') }),
      callTool(source, 'ask', {}, { user: BOB, ask: ask('Berlin') }),
    ]);
    await source.close();
    expect(outcomes).toEqual([{ result: 'Paris' }, { result: 'Berlin' }]);
  });
});
