/** The OpenAI Agents SDK with a chat completions model, behind Hono. The client sends the history. */
import { serve } from '@hono/node-server';
import { Agent, assistant, OpenAIChatCompletionsModel, run, setTracingDisabled, tool, user } from '@openai/agents';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import OpenAI from 'openai';
import { z } from 'zod';

// Its exporter would send traces to a server of OpenAI.
setTracingDisabled(true);
const client = new OpenAI({ baseURL: process.env.MOCK_URL, apiKey: 'none' });
const work = tool({
  name: 'work',
  description: 'Do some work',
  parameters: z.object({ ms: z.number(), n: z.number() }),
  async execute({ ms, n }) {
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return `done ${n}`;
  },
});
const model = new OpenAIChatCompletionsModel(client, 'mock');
const agent = new Agent({ name: 'bench', instructions: 'Do the work.', model, tools: [work] });

const app = new Hono();
app.post('/', async (context) => {
  const { messages } = await context.req.json();
  const input = messages.map(({ role, content }) => (role === 'user' ? user(content) : assistant(content)));
  return streamSSE(context, async (stream) => {
    const result = await run(agent, input, { stream: true });
    for await (const event of result) {
      if (event.type === 'run_item_stream_event') await stream.writeSSE({ data: JSON.stringify({ type: event.name }) });
      else if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta')
        await stream.writeSSE({ data: JSON.stringify({ type: 'text', delta: event.data.delta }) });
    }
    await result.completed;
  });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
