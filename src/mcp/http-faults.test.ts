import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../test/build.ts';
import {
  answerJson,
  type Call,
  type HttpFixture,
  startHttpFixture,
  textResult,
} from '../../test/fixtures/mcp-servers/http-server.ts';
import { callTool, listTools, openSource } from '../../test/fixtures/mcp-servers/open.ts';
import type { SupervisorLimits } from './limits.ts';
import type { McpSource } from './supervise/supervisor.ts';

const toClose: (() => unknown)[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((close) => close())));

async function open(
  onCall: (call: Call) => void,
  parts: object = {},
  limits: Partial<SupervisorLimits> = {},
): Promise<{ source: McpSource; server: HttpFixture }> {
  const server = await startHttpFixture(onCall);
  const source = openSource({ transport: 'http', url: server.url, ...parts }, { limits });
  toClose.push(() => source.close().finally(server.close));
  return { source, server };
}

async function streamLines(response: ServerResponse, lines: Iterable<string>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const line of lines) if (!response.write(line)) await once(response, 'drain');
  response.end();
}

function* flood(count: number, last: object): Generator<string> {
  const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } };
  const block = `event: message\ndata: ${JSON.stringify(note)}\n\n`.repeat(1_000);
  for (let sent = 0; sent < count; sent += 1_000) yield block;
  yield `data: ${JSON.stringify(last)}\n\n`;
}

function* hugeLine(megabytes: number, id: number): Generator<string> {
  yield `data: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`;
  for (let i = 0; i < megabytes; i++) yield 'x'.repeat(1_000_000);
  yield '"}]}}\n\n';
}

function* endless(): Generator<string> {
  for (;;) yield 'data: '.padEnd(1_000_000, 'x');
}

const tooLarge = {
  error: { error_type: 'ToolInvocationError', message: 'The answer was larger than 8 MB and was refused.' },
};

describe('a server over HTTP', () => {
  it('that floods with 200,000 notifications still gives its answer', async () => {
    const { source } = await open(({ id, response }) => {
      void streamLines(response, flood(200_000, { jsonrpc: '2.0', id, result: textResult('done') }));
    });
    expect(await callTool(source, 'go')).toEqual({ result: 'done' });
  });

  it('that streams an answer of 100 MB has it refused', async () => {
    const { source } = await open(({ id, response }) => void streamLines(response, hugeLine(100, id)));
    expect(await callTool(source, 'go')).toEqual(tooLarge);
  });

  it('that redirects to another address gets no headers sent there', async () => {
    const stolen: unknown[] = [];
    const thief = createServer((request, response) => {
      stolen.push(request.headers['x-key']);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(thief, 'listening');
    const { port } = thief.address() as AddressInfo; // it listens on a port
    toClose.push(() => thief.close());
    const { source } = await open(
      ({ response }) => void response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` }).end(),
      { headers: { 'x-key': 'secret' } },
    );
    expect(await callTool(source, 'go')).toMatchObject({ error: { error_type: 'ToolInvocationError' } });
    expect(stolen).toEqual([]);
  });

  it('that redirects to another path of its own is followed', async () => {
    let calls = 0;
    const { source } = await open(({ id, response }) => {
      calls++;
      if (calls === 1) response.writeHead(307, { location: '/mcp/' }).end();
      else answerJson(response, { id, result: textResult('done') });
    });
    expect(await callTool(source, 'go')).toEqual({ result: 'done' });
  });

  it('that sends a body of 100 MB has it refused', async () => {
    const { source } = await open(({ id, response }) => {
      answerJson(response, { id, result: textResult('x'.repeat(100_000_000)) });
    });
    expect(await callTool(source, 'go')).toEqual(tooLarge);
  });

  it('that forgot our session is greeted again, and the call is sent once more', async () => {
    let calls = 0;
    const { source, server } = await open(({ id, response }) => {
      if (calls++ === 0) response.writeHead(404).end();
      else answerJson(response, { id, result: textResult('found') });
    });
    expect(await callTool(source, 'go')).toEqual({ result: 'found' });
    expect(server.received.filter((method) => method === 'initialize' || method === 'tools/call')).toEqual([
      'initialize',
      'tools/call',
      'initialize',
      'tools/call',
    ]);
  });

  it('that breaks off leaves the outcome unknown, and is not sent the same call a third time', async () => {
    const { source, server } = await open(({ request }) => request.socket.destroy());
    const first = await callTool(source, 'go');
    const second = await callTool(source, 'go');
    const third = await callTool(source, 'go');
    const calls = server.received.filter((method) => method === 'tools/call').length;
    const refused = expect.stringContaining('This call crashed fixture 2 times');
    expect([first, second, third, calls]).toEqual([
      expect.objectContaining({ unknown: true }),
      expect.objectContaining({ unknown: true }),
      { error: { error_type: 'ToolInvocationError', message: refused } },
      2,
    ]);
  });

  it('that answers with an error of its own is not asked twice', async () => {
    const { source, server } = await open(({ response }) => response.writeHead(503).end());
    expect(await callTool(source, 'go')).toEqual({
      error: {
        error_type: 'ToolInvocationError',
        message:
          'fixture answered with HTTP 503 while the call was running. It is unknown whether the call took effect.',
      },
      unknown: true,
    });
    expect(server.received.filter((method) => method === 'tools/call')).toEqual(['tools/call']);
  });

  it('that is not there is told of', async () => {
    const { source, server } = await open(() => {});
    server.close();
    expect([await listTools(source), source.status()]).toEqual([
      [],
      {
        state: 'unavailable',
        detail: 'fixture is not reachable (it refused the connection), next try in 1 s',
        tools: [],
        refused: [],
      },
    ]);
  });

  it('that refuses the credentials is told of with what to do', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    toClose.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const source = openSource({ transport: 'http', url: `http://127.0.0.1:${port}/mcp` });
    await listTools(source);
    expect(source.status().detail).toBe(
      'fixture is not reachable (it refused the credentials (HTTP 401); check its headers), next try in 1 s',
    );
  });

  it.each([
    ['ends its stream', (response: ServerResponse) => response.end()],
    ['breaks its stream off', (response: ServerResponse) => response.destroy()],
  ])('that %s without an answer leaves the outcome unknown at once', async (_how, leave) => {
    const { source } = await open(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\ndata: {"jsonrpc":"2.0",');
      setImmediate(leave, response);
    });
    expect(await callTool(source, 'go')).toEqual({
      error: {
        error_type: 'ToolInvocationError',
        message:
          'fixture broke off without an answer while the call was running. It is unknown whether the call took effect.',
      },
      unknown: true,
    });
  });

  it('that never stops talking is no longer listened to', async () => {
    // Without a refill, so that the machine's speed does not matter.
    const limits = { outputBytes: 20_000_000, outputBytesPerSecond: 0 };
    const { source } = await open(({ response }) => void streamLines(response, endless()), {}, limits);
    expect(await callTool(source, 'go')).toMatchObject({ unknown: true });
  });

  it('gets the configured headers, and of each user his own', async () => {
    const seen: unknown[] = [];
    const { source } = await open(
      ({ id, request, response }) => {
        seen.push([request.headers.authorization, request.headers['x-user']]);
        answerJson(response, { id, result: textResult('ok') });
      },
      { headers: { Authorization: 'Bearer key', 'X-User': '$user.id' } },
    );
    for (const user of [ALICE, BOB]) await callTool(source, 'go', {}, { user });
    expect(seen).toEqual([
      ['Bearer key', ALICE.id],
      ['Bearer key', BOB.id],
    ]);
  });
});
