/**
 * HoloDeck inside your own program: one turn without a store, a tool of your own, then a conversation with one.
 * Run it in a checkout with `npx node --conditions=holodeck-source examples/library/main.ts`; it asserts its own result.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRuntime,
  defineTool,
  type EarlierMessage,
  fileFromBytes,
  loadAgent,
  type RunAgentOptions,
  runAgent,
  type TurnResult,
  userFromId,
} from 'holodeck';
import * as z from 'zod';

const folder = await mkdtemp(join(tmpdir(), 'holodeck-example-'));
const agent = await loadAgent(join(import.meta.dirname, '../../agents/todo/agent.yaml'));
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');

// Stateless: your program keeps the history, as text of user and assistant.
let history: EarlierMessage[] = [];
async function ask(message: string, more: Pick<RunAgentOptions, 'files' | 'tools'> = {}): Promise<TurnResult> {
  const turn = runAgent({ agent, user, message, history, folder, ...more });
  for (;;) {
    const next = await turn.next();
    if (next.done) {
      const { content } = next.value;
      process.stdout.write('\n');
      history = [...history, { role: 'user', content: message }, { role: 'assistant', content }];
      return next.value;
    }
    if (next.value.type === 'text-delta') process.stdout.write(next.value.text);
  }
}
const added = await ask('remind me to buy milk');
assert.equal(added.tool_calls[0]?.name, 'add_task');
assert.equal(added.tool_calls[0]?.state, 'completed');

// A message can bring files; each gets a verdict.
const note = fileFromBytes('note.txt', 'text/plain', Buffer.from('Oat milk, please.'));
const read = await ask('show my tasks', { files: [note] });
assert.equal(read.files?.[0]?.verdict, 'read');

// A function of this program as a tool. Its arguments are checked, and the turn shows its calls.
const price = defineTool({
  name: 'price',
  description: 'The price of a product',
  parameters: z.object({ product: z.string() }),
  readOnly: true,
  run: ({ product }) => ({ product, price: product === 'lamp' ? 42 : 7 }),
});
const priced = await ask('price product=lamp', { tools: [price] });
assert.deepEqual(priced.tool_calls[0]?.result, { product: 'lamp', price: 42 });

// With a runtime: HoloDeck stores conversations and runs one turn at a time in each.
const runtime = await createRuntime({ agents: [agent], folder });
const first = await runtime.chat(user, { agent: agent.name, message: 'what do I need to do?' });
let answer = '';
for await (const event of first.events) if (event.type === 'turn-end') answer = event.result.content;
assert.match(answer, /buy milk/);

// Another user has separate tasks and conversations.
const other = userFromId('223e4567-e89b-12d3-a456-426614174000');
assert.equal(await runtime.readConversation(other, first.conversationId), undefined);

await runtime.stop();
await rm(folder, { recursive: true });
console.log('\nlibrary example: all assertions hold');
