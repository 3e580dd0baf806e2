/**
 * A chat of React over AG-UI, against an app that has the handler. Install `holodeck` beside the packages of this folder;
 * the program renders the chat, writes into it and asserts what it shows.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { createHandler, createRuntime, defineAgent, defineTool } from 'holodeck';

const folder = await mkdtemp(join(tmpdir(), 'holodeck-example-'));
const refunded = [];
const tools = [
  defineTool({
    name: 'price',
    description: 'The price of a product',
    parameters: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
    readOnly: true,
    run: ({ product }) => ({ product, price: 42 }),
  }),
  defineTool({
    name: 'refund',
    description: 'Refunds an order',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    approve: true,
    run: ({ order }) => {
      refunded.push(order);
      return `Order ${order} is refunded.`;
    },
  }),
];
const shop = await defineAgent({ name: 'shop', instructions: 'You sell lamps.', tools });
const runtime = await createRuntime({ agents: [shop], folder });
const handle = createHandler(runtime, {
  basePath: '/api',
  user: ({ headers }) => /(?:^|;\s*)session=([^;]+)/.exec(headers.cookie ?? '')?.[1],
});
const server = createServer(handle.node).listen(0, '127.0.0.1');
await once(server, 'listening');
const site = `http://127.0.0.1:${server.address().port}`;

const window = new Window({ url: site });
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: false });
// React asks for its globals when it is loaded.
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { Chat } = await import('./chat.js');

const page = document.body;
const url = `${site}/api/agent/shop/awp`;
// A browser sends the cookie and its origin by itself.
const render = (headers) => createRoot(page).render(createElement(Chat, { url, headers }));
async function untilShown(pattern) {
  for (const start = Date.now(); !pattern.test(page.textContent); await new Promise((next) => setTimeout(next, 20)))
    assert.ok(Date.now() - start < 20_000, `no ${pattern} in: ${page.textContent}`);
}
function write(text) {
  const form = document.querySelector('form');
  form.elements.message.value = text;
  form.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
}

render({ cookie: 'session=user-42', origin: site });
while (!document.querySelector('form')) await new Promise((next) => setTimeout(next, 20));
write('price product=lamp');
await untilShown(/\[price\]/);
await untilShown(/assistant: .*42/);
write('refund order=A7');
while (!document.querySelector('#allow')) await new Promise((next) => setTimeout(next, 20));
assert.deepEqual(refunded, []);
document.querySelector('#allow').click();
await untilShown(/assistant: .*A7 is refunded/);
assert.deepEqual(refunded, ['A7']);

// The text of an answer is shown before its stream has ended.
handle.close();
server.close();
await runtime.stop();
server.closeIdleConnections();
await window.happyDOM.close();
await rm(folder, { recursive: true });
console.log('react example: all assertions hold');
