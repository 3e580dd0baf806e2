import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NodeSink, toNodeSource } from '../http/node-exchange.ts';
import { HttpReply } from '../http/reply.ts';
import { HttpRequest } from '../http/request.ts';
import { EventOutput } from './event-output.ts';

/** A server that opens an output for each request; with `late`, after its client has left. */
async function openOutputs(use: (output: EventOutput) => void, { late = false } = {}): Promise<() => Socket> {
  const server = createServer(async (request, response) => {
    if (late) await once(response, 'close');
    const reply = new HttpReply(
      new NodeSink(response),
      new HttpRequest<unknown>(toNodeSource(request), {}, { trustsProxy: false }),
    );
    use(new EventOutput(reply, { contentType: 'text/plain', keepalive: ':\n', keepaliveMs: 10, stallMs: 5_000 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    onTestFinished(() => void socket.destroy());
    return socket;
  };
}

describe('EventOutput', () => {
  it('sends no keepalive after its end, although its client still has much to read', async () => {
    const failures: unknown[] = [];
    const fail = (error: unknown) => failures.push(error);
    process.on('uncaughtException', fail);
    onTestFinished(() => void process.off('uncaughtException', fail));
    const ended = Promise.withResolvers<void>();
    const ask = await openOutputs((output) => {
      output.write('x'.repeat(20_000_000));
      output.end();
      ended.resolve();
    });
    ask().pause();
    await ended.promise;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(failures).toEqual([]);
  });

  it('leaves no timer for a client that had left before it was opened', async () => {
    // Counts the timers of the code under test alone; the process has others.
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = Promise.withResolvers<void>();
    let closed = 0;
    const ask = await openOutputs(
      (output) => {
        output.onClose(() => closed++);
        opened.resolve();
      },
      { late: true },
    );
    const socket = ask();
    await once(socket, 'connect');
    socket.end();
    await opened.promise;
    expect([closed, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('calls the remaining watchers when the client leaves', async () => {
    const seen: string[] = [];
    const left = Promise.withResolvers<void>();
    const ask = await openOutputs((output) => {
      const stopWatching = output.onClose(() => seen.push('first'));
      output.onClose(() => seen.push('second'));
      output.onClose(left.resolve);
      stopWatching();
      output.write('x');
    });
    const socket = ask();
    await once(socket, 'data');
    socket.destroy();
    await left.promise;
    expect(seen).toEqual(['second']);
  });
});
