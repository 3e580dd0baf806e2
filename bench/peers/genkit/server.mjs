/** A Genkit flow behind its Express handler. The client sends the history. */
import { compatOaiModelRef, openAICompatible } from '@genkit-ai/compat-oai';
import { expressHandler } from '@genkit-ai/express';
import express from 'express';
import { genkit, z } from 'genkit';

const ai = genkit({ plugins: [openAICompatible({ name: 'mock', apiKey: 'none', baseURL: process.env.MOCK_URL })] });
const inputSchema = z.object({ ms: z.number(), n: z.number() });
const work = ai.defineTool(
  { name: 'work', description: 'Do some work', inputSchema, outputSchema: z.string() },
  async ({ ms, n }) => {
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
    return `done ${n}`;
  },
);
const model = compatOaiModelRef({ name: 'mock', namespace: 'mock' });
const chat = ai.defineFlow(
  { name: 'chat', inputSchema: z.object({ messages: z.array(z.any()) }), streamSchema: z.string() },
  async ({ messages }, { sendChunk }) => {
    const { text } = await ai.generate({
      model,
      tools: [work],
      maxTurns: 10,
      messages: messages.map(({ role, content }) => ({
        role: role === 'assistant' ? 'model' : role,
        content: [{ text: content }],
      })),
      onChunk: (chunk) => chunk.text && sendChunk(chunk.text),
    });
    return text;
  },
);

const app = express();
app.use(express.json({ limit: '10mb' }));
app.post('/', expressHandler(chat));
app.listen(Number(process.env.PORT), '127.0.0.1');
