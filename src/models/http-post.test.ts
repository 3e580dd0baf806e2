import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { createPost } from './http-post.ts';

describe('createPost', () => {
  it('sends again when the server had closed the kept connection', async () => {
    const served = new Map<unknown, number>();
    const server = http.createServer((request, response) => {
      const count = (served.get(request.socket) ?? 0) + 1;
      served.set(request.socket, count);
      if (count > 1) request.socket.destroy();
      else response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
    const post = createPost();
    const ask = async () => {
      const { body } = await post({
        url: new URL(`http://127.0.0.1:${port}`),
        headers: {},
        body: 'x',
        signal: NEVER_ABORTED,
      });
      const reply = await text(body);
      await new Promise((resolve) => setImmediate(resolve));
      return reply;
    };
    expect([await ask(), await ask()]).toEqual(['hello', 'hello']);
    expect([...served.values()]).toEqual([2, 1]);
    server.closeAllConnections();
    server.close();
  });
});
