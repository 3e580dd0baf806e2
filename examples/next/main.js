/**
 * HoloDeck in an app of Next.js: the handler in a route of the app router, and a page with `useChat`. Install `holodeck`
 * beside the packages of this folder. The program builds and starts the app, talks to it as the page does, and asserts
 * what it gets.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';

const NEXT = 'node_modules/next/dist/bin/next';
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
const built = spawnSync(process.execPath, [NEXT, 'build'], { encoding: 'utf8', env });
assert.equal(built.status, 0, built.stdout + built.stderr);
assert.equal(existsSync('.holodeck'), false, 'the build opens no runtime');

const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
const site = `http://127.0.0.1:${port}`;
const app = spawn(process.execPath, [NEXT, 'start', '-p', String(port), '-H', '127.0.0.1'], { env });
try {
  let printed = '';
  for await (const text of app.stdout) {
    printed += text;
    if (printed.includes('Ready')) break;
  }
  assert.match(await (await fetch(site)).text(), /The lamp shop/);

  const shop = `${site}/api/agents/agent/shop`;
  const cookies = { cookie: 'session=user-42', origin: site };
  const send = (path, headers = {}) =>
    fetch(`${shop}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...cookies, ...headers },
      body: JSON.stringify({ message: 'price product=lamp' }),
    });
  const answer = await (await send('/chat')).json();
  assert.deepEqual(answer.tool_calls[0].result, { product: 'lamp', price: 42 });
  assert.equal((await send('/chat', { cookie: '' })).status, 401);
  assert.equal((await send('/chat', { origin: 'https://evil.example' })).status, 403);
  const card = await (await fetch(`${shop}/.well-known/agent-card.json`)).json();
  assert.equal(card.supportedInterfaces[0].url, `${shop}/a2a`);

  // The store of `useChat`, with the cookie that a browser would send.
  const chat = new Chat({ transport: new DefaultChatTransport({ api: `${shop}/ui`, headers: cookies }) });
  await chat.sendMessage({ text: 'price product=lamp' });
  assert.equal(chat.error, undefined);
  const parts = chat.messages.at(-1).parts;
  const { toolName, output } = parts.find(({ type }) => type === 'dynamic-tool');
  assert.deepEqual([toolName, output], ['price', { product: 'lamp', price: 42 }]);
  assert.match(parts.findLast(({ type }) => type === 'text').text, /42/);
  console.log('next example: all assertions hold');
} finally {
  app.kill();
  await once(app, 'exit');
}
