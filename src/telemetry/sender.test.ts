import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSender } from './sender.ts';

async function sendTo(answer: RequestListener): Promise<string[]> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const failures: string[] = [];
  const endpoint = `http://127.0.0.1:${port}`;
  const onFailure = (reason: string) => failures.push(reason.replace(endpoint, ''));
  const sender = createSender({ urls: { traces: `${endpoint}/v1/traces` }, timeoutMs: 300, onFailure });
  onTestFinished(sender.close);
  await sender.send('traces', '{}');
  return failures;
}

describe('createSender', () => {
  it.each([
    [429, '0', 2],
    [503, undefined, 2],
    [503, '3600', 1],
    [500, '0', 1],
  ])('asks again once after %s with Retry-After %s', async (status, retryAfter, times) => {
    let asked = 0;
    await sendTo((_request, response) => {
      asked++;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    });
    expect(asked).toBe(times);
  });

  it('reports nothing for a batch that arrived at the second try', async () => {
    let asked = 0;
    const answer: RequestListener = (_request, response) =>
      void response.writeHead(asked++ === 0 ? 503 : 200, { 'retry-after': '0' }).end();
    expect(await sendTo(answer)).toEqual([]);
  });

  it('reports nothing for a batch that arrives', async () => {
    expect(await sendTo((_request, response) => void response.end('{}'))).toEqual([]);
  });

  it.each<[string, RequestListener, string]>([
    ['is refused', (_request, response) => void response.writeHead(401).end(), 'it answered 401'],
    ['is never answered', () => {}, 'it did not answer in time'],
    [
      'is answered by drops',
      (_request, response) => void setInterval(() => response.write('.'), 50).unref(),
      'it did not answer in time',
    ],
    [
      'is answered in part',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('{');
        setTimeout(() => response.destroy(), 20);
      },
      'its answer was cut off',
    ],
  ])('tells of a batch that %s, and goes on', async (_what, answer, reason) => {
    expect(await sendTo(answer)).toEqual([`traces could not be sent to /v1/traces: ${reason}`]);
  });
});
