/** A Mastra agent behind Hono, without memory. The client sends the history. */
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
const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'Do the work.', model, tools: { work } });

const app = new Hono();
app.post('/', async (context) => {
  const { messages } = await context.req.json();
  return streamSSE(context, async (stream) => {
    const { fullStream } = await agent.stream(messages, { maxSteps: 10 });
    for await (const chunk of fullStream) await stream.writeSSE({ data: JSON.stringify(chunk) });
  });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
