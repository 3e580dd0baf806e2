import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type CodeTool, createRuntime, defineTool, type RunAgentOptions, runAgent } from '../src/index.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { ALICE, buildAgent } from './build.ts';
import { collect, temporaryFolder } from './runtime.ts';

type Replies = Parameters<typeof createScriptedModel>[0];

const call = (name: string, args: Record<string, string | number> = {}) => ({ calls: [{ name, arguments: args }] });

const price = defineTool({
  name: 'price',
  description: 'The price of a product',
  parameters: z.object({ product: z.string(), amount: z.number().int().default(1) }),
  readOnly: true,
  run: ({ product, amount }) => ({ product, total: 42 * amount }),
});

async function run(tools: readonly CodeTool[], replies: Replies, more: Partial<RunAgentOptions> = {}) {
  const model = createScriptedModel(replies);
  const turn = runAgent({
    agent: buildAgent(),
    user: ALICE,
    message: 'Go on',
    folder: temporaryFolder(),
    tools,
    model,
    ...more,
  });
  const events = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { result: next.value, events, model };
    events.push(next.value);
  }
}

const endOf = async (tool: CodeTool, args: Record<string, string | number> = {}) =>
  (await run([tool], [call(tool.name, args), 'Done.'])).result.tool_calls[0];

describe('tools of a program', () => {
  it('are offered with the schema of their parameters, and get arguments with defaults', async () => {
    const { result, model } = await run([price], [call('price', { product: 'lamp' }), 'It is 42.']);
    expect(model.requests[0]?.tools).toEqual([
      {
        name: 'price',
        description: 'The price of a product',
        inputSchema: expect.objectContaining({
          type: 'object',
          required: ['product'],
          properties: expect.objectContaining({ product: { type: 'string' } }),
        }),
      },
    ]);
    expect(result.tool_calls[0]).toMatchObject({ state: 'completed', result: { product: 'lamp', total: 42 } });
  });

  it('are found by the built-in model', async () => {
    const agent = buildAgent({
      intents: { ask_price: { tool: 'price', examples: ['what does a lamp cost?'], keywords: ['cost'] } },
    });
    const options = { agent, user: ALICE, message: 'what does a lamp cost?', folder: temporaryFolder() };
    const called = [];
    for await (const event of runAgent({ ...options, tools: [price] }))
      if (event.type === 'tool-call-end') called.push(event.call);
    expect(called).toMatchObject([{ name: 'price', arguments: { product: 'lamp' }, state: 'completed' }]);
  });

  it('take JSON Schema, whose rules are checked before they run', async () => {
    const seen: unknown[] = [];
    const tool: CodeTool = {
      name: 'count',
      description: 'Counts',
      parameters: { type: 'object', properties: { to: { type: 'integer', maximum: 9 } }, required: ['to'] },
      run: (args) => void seen.push(args),
    };
    expect(await endOf(tool, { to: 10 })).toMatchObject({ state: 'failed', error: { error_type: 'ValidationError' } });
    expect(await endOf(tool, { to: 9 })).toMatchObject({ state: 'completed', result: null });
    expect(seen).toEqual([{ to: 9 }]);
  });

  it('check the rules of zod that JSON Schema does not have', async () => {
    const even = z.object({ of: z.number().refine((value) => value % 2 === 0, 'must be even') });
    const half = defineTool({ name: 'half', description: 'Half', parameters: even, run: ({ of }) => of / 2 });
    const error = { message: 'The arguments of half are not valid: of: must be even.', error_type: 'ValidationError' };
    expect(await endOf(half, { of: 3 })).toMatchObject({ state: 'failed', error });
    expect(await endOf(half, { of: 4 })).toMatchObject({ state: 'completed', result: 2 });
  });

  it('get the user, the call and progress; bound arguments are not the model’s', async () => {
    const tool = defineTool({
      name: 'whoami',
      description: 'Who',
      parameters: z.object({ user_id: z.string() }),
      bind: { user_id: '$user.id' },
      run({ user_id }, { user, callId, signal, progress }) {
        progress('looking');
        return { user_id, name: user.name, hasCall: callId !== '', isStopped: signal.aborted };
      },
    });
    const { result, events, model } = await run([tool], [call('whoami', { user_id: 'someone' }), 'Done.']);
    expect(model.requests[0]?.tools[0]?.inputSchema).not.toHaveProperty('properties.user_id');
    expect(result.tool_calls[0]?.result).toEqual({
      user_id: ALICE.id,
      name: 'Alice',
      hasCall: true,
      isStopped: false,
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-call-progress', text: 'looking' }));
  });

  it('keep their exceptions to themselves, unless the exception is meant to be shown', async () => {
    const logged: unknown[] = [];
    const fail = (error: Error) => ({
      name: 'fail',
      description: 'Fails',
      run() {
        throw error;
      },
    });
    const { result } = await run([fail(new Error('secret in /etc/shadow'))], [call('fail'), 'Done.'], {
      log: (text, { error }) => void logged.push([text, String(error)]),
    });
    expect(result.tool_calls[0]?.error?.message).toBe('fail failed unexpectedly.');
    expect(logged).toEqual([['a tool threw', 'Error: secret in /etc/shadow']]);
    const shown = await endOf(fail(Object.assign(new Error('No lamp in /srv/shop.'), { expose: true })));
    expect(shown?.error?.message).toBe('No lamp in a file');
  });

  it('end at the deadline of tools, and a result that is no JSON fails', async () => {
    const agent = buildAgent({ loop: { tool_timeout_seconds: 0.05 } });
    const late: CodeTool = { name: 'late', description: 'Late', run: () => new Promise(() => {}) };
    const { result } = await run([late], [call('late'), 'Done.'], { agent });
    expect(result.tool_calls[0]?.state).toBe('timeout');
    const big: CodeTool = { name: 'big', description: 'Big', run: () => 10n };
    expect(await endOf(big)).toMatchObject({ state: 'failed', error: { message: 'big failed unexpectedly.' } });
  });

  it('run again after a failure only if that does no harm', async () => {
    const agent = buildAgent({ loop: { retry: { enabled: true, attempts: 2 } } });
    const tries = { read: 0, change: 0 };
    const count = (name: keyof typeof tries, readOnly: boolean): CodeTool => ({
      name,
      description: name,
      readOnly,
      run() {
        tries[name]++;
        throw new Error('no');
      },
    });
    const reply = { calls: [{ name: 'read' }, { name: 'change' }] };
    await run([count('read', true), count('change', false)], [reply, 'Done.'], { agent });
    expect(tries).toEqual({ read: 3, change: 1 });
  });

  it('never replace a tool of the agent', async () => {
    const agent = buildAgent({ tools: [{ name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks' }] });
    const own: CodeTool = { name: 'list_tasks', description: 'Mine', run: () => 'mine' };
    const { model } = await run([own], ['Hello.'], { agent });
    const offered = model.requests[0]?.tools.filter(({ name }) => name === 'list_tasks');
    expect(offered?.map(({ description }) => description)).not.toContain('Mine');
    expect(offered).toHaveLength(1);
  });

  const good = { name: 'x', description: 'X', run: () => 1 };
  it.each([
    ['a name with a space', [{ ...good, name: 'a b' }], 'tools[0].name: must be 1 to 64 letters, digits, - and _.'],
    ['no description', [{ ...good, description: ' ' }], 'tools[0].description: must not be empty.'],
    ['no function', [good, { ...good, name: 'y', run: 7 }], 'tools[1].run: must be a function.'],
    ['an unknown key', [{ ...good, aprove: true }], 'tools[0]: Unrecognized key: "aprove".'],
    ['two of one name', [good, good], 'tools[1].name: is the name of two tools: x.'],
    [
      'a list as schema',
      [{ ...good, parameters: z.array(z.string()) }],
      'tools[0].parameters: must describe an object.',
    ],
    [
      'a date in the schema',
      [{ ...good, parameters: z.object({ at: z.date() }) }],
      'tools[0].parameters: cannot be JSON Schema: Date cannot be represented in JSON Schema.',
    ],
  ])('are refused with %s', async (_, tools, detail) => {
    const wrong = tools as unknown as CodeTool[]; // an untyped program could pass them
    await expect(run(wrong, [])).rejects.toMatchObject({ code: 'config_invalid', message: detail });
  });
});

describe('tools of a program in a runtime', () => {
  async function open(folder: string, tools: readonly CodeTool[], replies: Replies) {
    const model = createScriptedModel(replies);
    return createRuntime({ agents: [buildAgent()], folder, model, tools });
  }

  it('wait for an approval, are audited, and stay approved across a restart', async () => {
    const folder = temporaryFolder();
    const sent: object[] = [];
    const send = defineTool({
      name: 'send',
      description: 'Sends',
      parameters: z.object({ to: z.string() }),
      approve: true,
      run: (args) => void sent.push(args),
    });
    const first = await open(folder, [send], [call('send', { to: 'Ann' })]);
    const turn = await first.chat(ALICE, { agent: 'helper', message: 'send it' });
    const wait = (await collect(turn)).find((event) => event.type === 'tool-call-wait');
    expect([wait?.wait.kind, sent]).toEqual(['approval', []]);
    await first.stop();
    const second = await open(folder, [send], ['Sent.']);
    const answers = [{ call_id: wait?.call_id ?? '', approved: true }];
    await collect(await second.answer(ALICE, { conversationId: turn.conversationId, answers }));
    expect(sent).toEqual([{ to: 'Ann' }]);
    const [audit] = await second.readAudit(ALICE, { limit: 1 });
    expect(audit).toMatchObject({ tool: 'send' });
    expect((await second.listTools(ALICE, 'helper', { signal: AbortSignal.timeout(9_000) })).offered.has('send')).toBe(
      true,
    );
    await second.stop();
  });

  it('are still there when the agent is replaced', async () => {
    const runtime = await open(temporaryFolder(), [price], [call('price', { product: 'lamp' }), 'Done.']);
    await runtime.replaceAgent(buildAgent({ instructions: 'Help more.' }));
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'price?' }));
    expect(events.find((event) => event.type === 'tool-call-end')?.call.state).toBe('completed');
    await runtime.stop();
  });
});
