/**
 * HoloDeck in an app of SvelteKit: the handler in a `+server.js`, and a page that asks it. Install `holodeck` beside the
 * packages of this folder. The program builds and starts the app, talks to it as the page does, and asserts what it gets.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

const built = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { encoding: 'utf8' });
assert.equal(built.status, 0, built.stdout + built.stderr);
assert.equal(existsSync('.holodeck'), false, 'the build opens no runtime');

const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
const site = `http://127.0.0.1:${port}`;
// Without this header adapter-node takes each request for one of https.
const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port), PROTOCOL_HEADER: 'x-forwarded-proto' };
const app = spawn(process.execPath, ['build/index.js'], { env });
try {
  await once(app.stdout, 'data');
  const proto = { 'x-forwarded-proto': 'http' };
  assert.match(await (await fetch(site, { headers: proto })).text(), /The lamp shop/);
  const send = (path, headers = {}) =>
    fetch(`${site}/api/agents/agent/shop${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'session=user-42', origin: site, ...proto, ...headers },
      body: JSON.stringify({ message: 'price product=lamp' }),
    });
  const answer = await (await send('/chat')).json();
  assert.deepEqual(answer.tool_calls[0].result, { product: 'lamp', price: 42 });
  assert.match(await (await send('/chat/stream')).text(), /event: stream_end/);
  assert.equal((await send('/chat', { cookie: '' })).status, 401);
  assert.equal((await send('/chat', { origin: 'https://evil.example' })).status, 403);
  console.log('sveltekit example: all assertions hold');
} finally {
  app.kill();
  await once(app, 'exit');
}
