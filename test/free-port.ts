import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Systems take the ports of outgoing connections from 32,768 on, so no connection of another test takes one of these. */
const [FIRST, END] = [10_000, 32_768];

/** Returns a free port, for a program that opens it by number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
