import { expect, it } from 'vitest';
import { WebSink } from './web-exchange.ts';

const FULL = 'x'.repeat(70_000);

async function openSink() {
  const sink = new WebSink(new Request('http://localhost/'));
  sink.writeHead(200, { 'content-type': 'text/plain' });
  sink.write(FULL);
  return { sink, reader: (await sink.response).body?.getReader() };
}

it('a writer waits until the host has read what is there', async () => {
  const { sink, reader } = await openSink();
  expect(sink.isBehind).toBe(true);
  const read = sink.untilRead(60_000);
  expect(read).toBeInstanceOf(Promise);
  expect((await reader?.read())?.value?.length).toBe(FULL.length);
  await read;
  expect([sink.isBehind, sink.untilRead(60_000)]).toEqual([false, undefined]);
});

it('a host that stops reading is disconnected', async () => {
  const { sink } = await openSink();
  const closed = new Promise<void>((resolve) => sink.onClose(resolve));
  await sink.untilRead(1);
  await closed;
  expect([sink.isClosed, sink.isFinished]).toEqual([true, false]);
});

it.each([
  ['HEAD', 200],
  ['GET', 204],
])('%s with status %d has no body', async (method, status) => {
  const sink = new WebSink(new Request('http://localhost/', { method }));
  sink.writeHead(status, {});
  sink.end('text');
  expect((await sink.response).body).toBeNull();
});
