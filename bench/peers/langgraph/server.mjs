/**
 * LangGraph's prebuilt agent behind Hono. The client sends the history. Nothing is checkpointed, unless BENCH_DATA names a
 * folder: then each request is a thread of LangGraph's SQLite saver.
 */
import { serve } from '@hono/node-server';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';

const llm = new ChatOpenAI({
  model: 'mock',
  apiKey: 'none',
  streaming: true,
  configuration: { baseURL: process.env.MOCK_URL },
});
const work = tool(
  async ({ ms, n }) => {
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return `done ${n}`;
  },
  { name: 'work', description: 'Do some work', schema: z.object({ ms: z.number(), n: z.number() }) },
);
const folder = process.env.BENCH_DATA;
const checkpointer = folder && (await openSaver(`${folder}/langgraph-${process.pid}.db`));
const agent = createReactAgent({ llm, tools: [work], ...(checkpointer && { checkpointer }) });

async function openSaver(file) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  return SqliteSaver.fromConnString(file);
}

const app = new Hono();
app.post('/', async (context) => {
  const { messages } = await context.req.json();
  return streamSSE(context, async (stream) => {
    for await (const [chunk, { langgraph_node: node }] of await agent.stream(
      { messages },
      { streamMode: 'messages', configurable: { thread_id: crypto.randomUUID() } },
    )) {
      const { id, content, tool_call_chunks: calls } = chunk;
      await stream.writeSSE({ event: 'messages', data: JSON.stringify({ id, content, calls, node }) });
    }
  });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
