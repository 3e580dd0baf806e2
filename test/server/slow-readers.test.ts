import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServer } from './server.ts';

const CLIENTS = 5;
const text = (pieces: number) => Array.from({ length: pieces }, () => 'x'.repeat(50_000));

/** A client that requests a stream and never reads a byte of it. */
function startSilent(port: number): Socket {
  const json = JSON.stringify({ message: 'hello' });
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  const head = ['POST /agent/helper/chat/stream HTTP/1.1', 'host: localhost', 'authorization: Bearer alice'];
  socket.write([...head, 'content-type: application/json', `content-length: ${json.length}`, '', json].join('\r\n'));
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe('clients that never read', () => {
  it('are dropped, and the server buffers little for each of them', async () => {
    const agent = { limits: { reply_chars: 10_000_000 }, server: { rate_limit: { turns_per_minute: 1_000 } } };
    const replies = Array.from({ length: CLIENTS }, () => ({ text: text(200), hang: true }));
    const { app, port, runtime } = await openServer({ replies, agent, app: { timing: { stallMs: 100 } } });
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
    for (let index = 0; index < CLIENTS; index++) startSilent(port);
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
