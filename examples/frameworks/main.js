/**
 * HoloDeck inside apps of Express, Hono and Fastify, and behind a queue of its own. Each app has its own login, a
 * cookie. Install `holodeck` beside the packages of this folder; the program asserts its own result.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { createHandler, createRuntime, defineAgent, defineTool, userFromId } from 'holodeck';
import { Hono } from 'hono';

const BASE = '/api/agents';
const folder = await mkdtemp(join(tmpdir(), 'holodeck-example-'));
const price = defineTool({
  name: 'price',
  description: 'The price of a product',
  parameters: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
  readOnly: true,
  run: ({ product }) => ({ product, price: 42 }),
});
const shop = await defineAgent({ name: 'shop', instructions: 'You sell lamps.', tools: [price] });
const runtime = await createRuntime({ agents: [shop], folder });
/** The whole id: two ids that become one text share all data. */
const readUser = (cookie = '') => decodeURIComponent(/(?:^|;\s*)session=([^;]+)/.exec(cookie)?.[1] ?? '');

const onNode = createHandler(runtime, { basePath: BASE, user: (request) => readUser(request.headers.cookie) });
const onWeb = createHandler(runtime, {
  basePath: BASE,
  user: (request) => readUser(request.headers.get('cookie') ?? ''),
});

async function openExpress(readsBody) {
  const app = express();
  if (readsBody) app.use(express.json());
  app.use(BASE, onNode.node);
  app.get('/', (_request, response) => response.send('the shop'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function openHono() {
  const app = new Hono();
  app.all(`${BASE}/*`, (context) => onWeb(context.req.raw));
  app.get('/', (context) => context.text('the shop'));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return server;
}

async function openFastify() {
  const app = fastify();
  app.get('/', () => 'the shop');
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(`${BASE}/*`, (request, reply) => {
      reply.hijack();
      void onNode.node(request.raw, reply.raw);
    });
  });
  // A test of the app needs no port.
  const tested = await app.inject({
    method: 'POST',
    url: `${BASE}/agent/shop/chat/stream`,
    headers: { 'content-type': 'application/json', cookie: 'session=user-42', origin: 'http://localhost' },
    payload: { message: 'price product=lamp' },
  });
  assert.match(tested.body, /event: stream_end/);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

const hosts = [
  ['express', () => openExpress(false)],
  ['express after express.json()', () => openExpress(true)],
  ['hono', openHono],
  ['fastify', openFastify],
];
for (const [name, open] of hosts) {
  const server = await open();
  const site = `http://127.0.0.1:${server.address().port}`;
  const send = (path, headers = {}) =>
    fetch(`${site}${BASE}/agent/shop${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'session=user-42', origin: site, ...headers },
      body: JSON.stringify({ message: 'price product=lamp' }),
    });
  const answer = await (await send('/chat')).json();
  assert.deepEqual(answer.tool_calls[0].result, { product: 'lamp', price: 42 }, name);
  const stream = await (await send('/chat/stream')).text();
  assert.match(stream, /event: stream_end/, name);
  assert.equal((await send('/chat', { cookie: '' })).status, 401, name);
  const listOf = async (id) => {
    const headers = { cookie: `theme=dark; session=${encodeURIComponent(id)}` };
    return (await (await fetch(`${site}${BASE}/sessions`, { headers })).json()).sessions.length;
  };
  await send('/chat', { cookie: `session=${name}@example.com` });
  assert.deepEqual([await listOf(`${name}@example.com`), await listOf(`${name}@other.com`)], [1, 0], name);
  assert.equal((await send('/chat', { origin: 'https://evil.example' })).status, 403, name);
  assert.equal(await (await fetch(site)).text(), 'the shop', name);
  server.close();
  server.closeAllConnections();
}

// A worker with its own queue: the key of a job makes its turn run once, however often the job is delivered.
const queue = [
  { id: 'job-1', user: 'user-7', message: 'price product=lamp' },
  { id: 'job-1', user: 'user-7', message: 'price product=lamp' },
];
const conversations = new Set();
for (const job of queue) {
  const turn = await runtime.chat(userFromId(job.user), {
    agent: 'shop',
    message: job.message,
    idempotencyKey: job.id,
  });
  for await (const event of turn.events) if (event.type === 'turn-end') assert.equal(event.result.status, 'completed');
  conversations.add(turn.conversationId);
}
assert.equal(conversations.size, 1);

onNode.close();
onWeb.close();
await runtime.stop();
await rm(folder, { recursive: true });
console.log('frameworks example: all assertions hold');
