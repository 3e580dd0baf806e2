/**
 * A Mastra agent behind Hono. The client sends the history. It has no memory, unless BENCH_DATA names a folder: then each
 * request is a thread of Mastra's memory with LibSQL.
 */
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';

const work = createTool({
  id: 'work',
  description: 'Do some work',
  inputSchema: z.object({ ms: z.number(), n: z.number() }),
  execute: async ({ ms, n }) => {
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return `done ${n}`;
  },
});
const model = { id: 'mock/mock', url: process.env.MOCK_URL, apiKey: 'none' };
const folder = process.env.BENCH_DATA;
const memory = folder && (await openMemory(`file:${folder}/mastra-${process.pid}.db`));
const agent = new Agent({
  id: 'bench',
  name: 'bench',
  instructions: 'Do the work.',
  model,
  tools: { work },
  ...(memory && { memory }),
});

async function openMemory(url) {
  const [{ Memory }, { LibSQLStore }] = await Promise.all([import('@mastra/memory'), import('@mastra/libsql')]);
  return new Memory({ storage: new LibSQLStore({ id: 'bench', url }) });
}

const app = new Hono();
app.post('/', async (context) => {
  const { messages } = await context.req.json();
  return streamSSE(context, async (stream) => {
    const { fullStream } = await agent.stream(messages, {
      maxSteps: 10,
      ...(memory && { memory: { thread: crypto.randomUUID(), resource: 'bench' } }),
    });
    for await (const chunk of fullStream) await stream.writeSSE({ data: JSON.stringify(chunk) });
  });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
