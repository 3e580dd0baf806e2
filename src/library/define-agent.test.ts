import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { ALICE } from '../../test/build.ts';
import { collect, temporaryFolder } from '../../test/runtime.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { createRuntime } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { defineTool } from '../tools/functions/code-tools.ts';
import { createHandler } from './create-handler.ts';
import { type AgentDefinition, defineAgent } from './define-agent.ts';

const price = defineTool({
  name: 'price',
  description: 'The price of a product',
  parameters: z.object({ product: z.string() }),
  run: ({ product }) => ({ product, price: 42 }),
});
const clock = defineTool({
  name: 'clock',
  description: 'The time',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
  run: ({ zone }) => `noon in ${zone}`,
});

/** A schema of another library, which has its fields beside `type`. */
const FOREIGN = { type: 'object', entries: {}, '~standard': { version: 1, vendor: 'valibot' } };

async function problemsOf(definition: unknown): Promise<string> {
  // A caller without types passes anything.
  const error = await defineAgent(definition as AgentDefinition).catch((reason: Error) => reason);
  return error instanceof Error ? error.message : '';
}

describe('defineAgent', () => {
  it('fills the defaults of agent.yaml and keeps text as it is', async () => {
    const instructions = 'Say ${HOME} and nothing else.';
    const agent = await defineAgent(
      { name: 'shop', instructions, model: { provider: 'openai', name: 'm' } },
      { env: { OPENAI_API_KEY: 'k' } },
    );
    expect(agent).toMatchObject({ name: 'shop', instructions, loop: { max_iterations: 15 }, model: { api_key: 'k' } });
    expect(agent.functions).toBeUndefined();
  });

  it('gives each of several agents its own functions', async () => {
    const task = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
    const agents = [
      await defineAgent({ name: 'shop', instructions: 'Sell.', tools: [price] }),
      await defineAgent({ name: 'hall', instructions: 'Help.', tools: [clock, task] }),
    ];
    const model = createScriptedModel(({ messages }) => {
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      if (messages.at(-1)?.role === 'tool') return 'Done.';
      return { calls: [{ name: asked, arguments: asked === 'price' ? { product: 'lamp' } : { zone: 'Rome' } }] };
    });
    const runtime = await createRuntime({ agents, folder: temporaryFolder(), model });
    const resultOf = async (agent: string, message: string) => {
      const end = (await collect(await runtime.chat(ALICE, { agent, message }))).at(-1);
      return end?.type === 'turn-end' && [end.result.tool_calls[0]?.state, end.result.tool_calls[0]?.result];
    };
    expect(await resultOf('shop', 'price')).toEqual(['completed', { product: 'lamp', price: 42 }]);
    expect(await resultOf('hall', 'clock')).toEqual(['completed', 'noon in Rome']);
    expect(((await resultOf('shop', 'clock')) || [])[0]).toBe('failed');
    const { offered } = await runtime.listTools(ALICE, 'hall', { signal: new AbortController().signal });
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['clock', 'add_task']));
    await runtime.stop();
  });

  it('names every problem with its path', async () => {
    const problems = await problemsOf({ name: 'shop', modell: {}, loop: { max_iterations: 0 } });
    expect(problems).toContain('defineAgent');
    for (const path of ['instructions', 'modell', 'loop.max_iterations']) expect(problems).toContain(path);
  });

  it('refuses a function that no model could call', async () => {
    expect(
      await problemsOf({ name: 'a', instructions: 'b', tools: [{ name: 'x y', description: 'd', run() {} }] }),
    ).toContain('name');
    expect(await problemsOf({ name: 'a', instructions: 'b', tools: [price, price] })).toContain('two tools');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['tools as a map', { name: 'a', instructions: 'b', tools: { price } }],
    ['an empty place', { name: 'a', instructions: 'b', tools: [null] }],
    ['a tool of the AI SDK', { name: 'a', instructions: 'b', tools: [{ inputSchema: z.object({}), execute() {} }] }],
    ['a schema of zod 3', { name: 'a', instructions: 'b', tools: [{ ...price, parameters: z3.object({}) }] }],
    [
      'a schema that looks like JSON Schema',
      { name: 'a', instructions: 'b', tools: [{ ...price, parameters: FOREIGN }] },
    ],
  ])('refuses what programs without types may pass: %s', async (_what, definition) => {
    expect(await problemsOf(definition)).toMatch(
      /^(defineAgent name: is missing|tools: pass a list|tools\[0\]\.parameters: must be a zod 4)/,
    );
  });
});

describe('createRuntime', () => {
  const shop = () => defineAgent({ name: 'shop', instructions: 'Sell.' });

  it('refuses agents that were not awaited, no list, and two of one name', async () => {
    // A caller without types passes anything.
    const problemOf = (agents: unknown) =>
      createRuntime({ agents: agents as Agent[], folder: temporaryFolder() }).catch(({ message }: Error) => message);
    for (const agents of [[shop()], await shop(), [{ name: 'shop', instructions: 'Sell.' }], undefined])
      expect(await problemOf(agents)).toContain('await defineAgent({…})');
    expect(await problemOf([await shop(), await shop()])).toContain('Two agents are named shop');
    expect(await problemOf([])).toContain('No agent was given');
  });

  it('is not served inside an app if the settings of its agents differ', async () => {
    const hall = defineAgent({ name: 'hall', instructions: 'Help.', server: { rate_limit: { turns_per_minute: 1 } } });
    const runtime = await createRuntime({ agents: [await shop(), await hall], folder: temporaryFolder() });
    const handle = createHandler(runtime, { user: () => 'ann' });
    await expect(handle(new Request('http://localhost/me'))).rejects.toThrow('must have the same server settings');
    await runtime.stop();
  });

  it('begins no turn for a user that is only a text', async () => {
    const runtime = await createRuntime({ agents: [await shop()], folder: temporaryFolder() });
    const turn = runtime.chat('ann' as unknown as User, { agent: 'shop', message: 'hello' });
    await expect(turn).rejects.toThrow('userFromId');
    await runtime.stop();
  });
});
