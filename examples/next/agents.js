import { createRuntime, defineAgent, defineTool } from 'holodeck';
import * as z from 'zod';

const price = defineTool({
  name: 'price',
  description: 'The price of a product',
  parameters: z.object({ product: z.string() }),
  readOnly: true,
  run: ({ product }) => ({ product, price: 42 }),
});

async function open() {
  const shop = await defineAgent({ name: 'shop', instructions: 'You sell lamps.', tools: [price] });
  return createRuntime({ agents: [shop], folder: '.holodeck' });
}

/** Opened with the first request and not by `next build`. `next dev` loads this file again; the runtime stays. */
export function openRuntime() {
  globalThis.holodeck ??= open();
  return globalThis.holodeck;
}

/** Stands in for a login: the user's id is the cookie `session`, which anybody can set. */
export function readUser(cookie) {
  const id = /(?:^|;\s*)session=([^;]+)/.exec(cookie ?? '')?.[1];
  return id && decodeURIComponent(id);
}
