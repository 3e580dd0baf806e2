/** The AI SDK's UI message stream behind Hono. The client sends the history. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { serve } from '@hono/node-server';
import { convertToModelMessages, isStepCount, streamText, tool } from 'ai';
import { Hono } from 'hono';
import { z } from 'zod';

const provider = createOpenAICompatible({
  name: 'mock',
  baseURL: process.env.MOCK_URL,
  apiKey: 'none',
  includeUsage: true,
});
const work = tool({
  description: 'Do some work',
  inputSchema: z.object({ ms: z.number(), n: z.number() }),
  async execute({ ms, n }) {
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return `done ${n}`;
  },
});

const app = new Hono();
app.post('/', async (context) => {
  const { messages } = await context.req.json();
  const parts = messages.map(({ id, role, content }) => ({ id, role, parts: [{ type: 'text', text: content }] }));
  const result = streamText({
    model: provider('mock'),
    messages: await convertToModelMessages(parts),
    tools: { work },
    stopWhen: isStepCount(10),
  });
  return result.toUIMessageStreamResponse();
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
