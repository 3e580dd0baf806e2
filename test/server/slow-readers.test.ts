import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServer } from './server.ts';

const CLIENTS = 5;
const text = (pieces: number) => Array.from({ length: pieces }, () => 'x'.repeat(50_000));

interface Asking {
  path: string;
  body: object;
  headers?: readonly string[];
}

const REST: Asking = { path: '/agent/helper/chat/stream', body: { message: 'hello' } };
const ACCEPT = 'accept: application/json, text/event-stream';
const toolCall = (meta: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'ask_helper', arguments: { message: 'hello' }, _meta: { progressToken: 1, ...meta } },
});
const OLD_MCP: Asking = { path: '/mcp', body: toolCall({}), headers: [ACCEPT] };
const VERSION = '2026-07-28';
const NEW_MCP: Asking = {
  path: '/mcp',
  body: toolCall({
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'silent', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }),
  headers: [ACCEPT, `mcp-protocol-version: ${VERSION}`, 'mcp-method: tools/call', 'mcp-name: ask_helper'],
};

/** A client that requests a stream and never reads a byte of it. */
function startSilent(port: number, { path, body, headers = [] }: Asking): Socket {
  const json = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  const head = [`POST ${path} HTTP/1.1`, 'host: localhost', 'authorization: Bearer alice', ...headers];
  socket.write([...head, 'content-type: application/json', `content-length: ${json.length}`, '', json].join('\r\n'));
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A session of a client before 2026-07-28. */
async function inSession(call: Awaited<ReturnType<typeof openServer>>['call']): Promise<Asking> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'silent', version: '1' } };
  const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  const headers = { accept: 'application/json, text/event-stream' };
  const opened = await call('POST /mcp', { body, headers: { ...headers, connection: 'close' } });
  await opened.text();
  return { ...OLD_MCP, headers: [ACCEPT, `mcp-session-id: ${opened.headers.get('mcp-session-id')}`] };
}

describe('clients that never read', () => {
  it.each<[string, Asking | typeof inSession]>([
    ['REST', REST],
    ['MCP', NEW_MCP],
    ['MCP of older clients with a session', inSession],
  ])('of %s are dropped, and the server buffers little for each of them', async (_front, asking) => {
    const agent = { limits: { reply_chars: 10_000_000 }, server: { rate_limit: { turns_per_minute: 1_000 } } };
    const replies = Array.from({ length: CLIENTS }, () => ({ text: text(200), hang: true }));
    const { app, port, runtime, call } = await openServer({ replies, agent, app: { timing: { stallMs: 100 } } });
    const asked: Asking[] = [];
    while (asked.length < CLIENTS) asked.push(typeof asking === 'function' ? await asking(call) : asking);
    const sockets = new Set<Socket>();
    let buffered = 0;
    let seen = 0;
    const measure = () => {
      for (const socket of sockets) buffered = Math.max(buffered, socket.writableLength);
    };
    app.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      seen++;
      socket.on('close', () => sockets.delete(socket));
      // Checked with every written event of a turn.
      const write = socket.write.bind(socket);
      socket.write = ((...args: Parameters<typeof write>) => {
        const taken = write(...args);
        measure();
        return taken;
      }) as typeof socket.write; // the same function, observed
    });
    for (const each of asked) startSilent(port, each);
    await expect.poll(() => ({ seen, open: sockets.size }), { timeout: 40_000 }).toEqual({ seen: CLIENTS, open: 0 });
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(400_000);
  });
});

describe('an answer of 20 MB', () => {
  it('costs about as much as the longest one that may be', async () => {
    const agent = { server: { rate_limit: { turns_per_minute: 1_000 } } };
    const replies = [{ text: text(6) }, { text: text(6) }, { text: text(400) }];
    const { call } = await openServer({ replies, agent });
    const costOf = async () => {
      const started = process.cpuUsage();
      const sent = await (await call('POST /agent/helper/chat/stream', { body: { message: 'hello' } })).text();
      const { user, system } = process.cpuUsage(started);
      return { cost: user + system, bytes: sent.length };
    };
    await costOf();
    const allowed = await costOf();
    const huge = await costOf();
    expect(huge.bytes).toBeLessThan(allowed.bytes * 1.1);
    // Without the limit the text is 80 times as long.
    expect(huge.cost / allowed.cost).toBeLessThan(15);
  });
});
