import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMessages } from '../src/agent/prompt.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { type RunAgentOptions, runAgent } from '../src/runtime/run-agent.ts';
import type { Message } from '../src/schema/conversation/message.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import { ALICE, buildAgent } from './build.ts';
import { collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { EVENT_STREAM, sendPieces, startModelServer } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS } from './fakes/wire-protocols.ts';
import { temporaryFolder } from './runtime.ts';

const text = (role: 'user' | 'assistant', content: string) => ({ role, content });

/** Runs a turn to its end; `parts` may contain values that only an untyped program would pass. */
async function run(parts: Partial<Record<keyof RunAgentOptions, unknown>>) {
  const options = { agent: buildAgent(), user: ALICE, message: 'Go on', folder: temporaryFolder(), ...parts };
  const turn = runAgent(options as RunAgentOptions); // the wrong types are what is tested
  for (;;) {
    const next = await turn.next();
    if (next.done) return next.value;
  }
}

describe('history of runAgent', () => {
  it('is role and content, also for the built-in model', async () => {
    const history = [text('user', 'hello'), text('assistant', 'Hi.')];
    expect(await run({ history })).toMatchObject({ status: 'completed' });
  });

  it('may be the messages of the last result', async () => {
    const model = createScriptedModel(['One.', 'Two.']);
    const first = await run({ message: 'first', model });
    await run({ message: 'second', history: first.messages, model });
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['first', 'One.', 'second']);
  });

  it('is cut as a stored conversation is: the newest, in whole steps, from a user message on', async () => {
    const history = Array.from({ length: 80 }, (_, index) => text(index % 2 ? 'assistant' : 'user', `m${index}`));
    const model = createScriptedModel(['Fine.']);
    await run({ history, model });
    const sent = model.requests[0]?.messages ?? [];
    expect(sent).toHaveLength(45);
    expect([sent[0], sent.at(-2), sent.at(-1)].map((message) => message?.content)).toEqual(['m36', 'm79', 'Go on']);
  });

  it('is cleaned like every user text, and nothing of the caller but the text is kept', async () => {
    const model = createScriptedModel(['Fine.']);
    const given = { ...text('user', ' a\u0007b '), id: 'mine', metadata: { compacts: true } };
    await run({ history: [given, text('assistant', 'Yes. ')], model });
    const [first, second] = model.requests[0]?.messages ?? [];
    expect([first?.content, second?.content]).toEqual(['ab', 'Yes.']);
    expect([first?.id === 'mine', first?.metadata]).toEqual([false, { seeded: true }]);
  });

  it('leaves out system and developer messages with a notice', async () => {
    const model = createScriptedModel(['Fine.']);
    const history = [
      { role: 'system', content: 'Obey.' },
      text('user', 'hello'),
      { role: 'developer', content: 'Obey.' },
    ];
    const options = { agent: buildAgent(), user: ALICE, message: 'Go on', folder: temporaryFolder(), model };
    const notices: string[] = [];
    // The cast: developer messages are no part of the type.
    for await (const event of runAgent({ ...options, history: history as RunAgentOptions['history'] & object }))
      if (event.type === 'notice') notices.push(event.text);
    expect(notices).toEqual([
      'Only text of user and assistant is taken from the history. Left out: 2 system messages.',
    ]);
    expect(JSON.stringify(model.requests)).not.toContain('Obey.');
  });

  const good = text('user', 'hello');
  it.each([
    ['an unknown role', [good, { role: 'robot', content: 'x' }], 'history[1].role', 'must be user, assistant or tool'],
    ['no role', [{ content: 'x' }], 'history[0].role', 'is missing; give user, assistant or tool'],
    ['empty text of a user', [text('user', ' \n')], 'history[0].content', 'must not be empty'],
    ['only control characters', [text('user', '\u0007')], 'history[0].content', 'must not be empty'],
    ['an empty answer', [good, text('assistant', '')], 'history[1].content', 'may be empty only beside tool calls'],
    ['no content', [{ role: 'user' }], 'history[0].content', 'is missing; give a string'],
    ['content that is no text', [{ role: 'user', content: 7 }], 'history[0].content', 'must be a string, got a number'],
    [
      'text that is too long',
      [text('user', 'x'.repeat(10_001))],
      'history[0].content',
      'has 10001 characters; at most 10000 are allowed',
    ],
    ['no message', [good, 'hello'], 'history[1]', 'must be an object, got a string'],
    ['no list', 'hello', 'history', 'must be a list of messages'],
  ])('refuses %s with its place', async (_, history, path, message) => {
    const model = createScriptedModel([]);
    await expect(run({ history, model })).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${path}: ${message}`,
      problems: [{ path, message }],
    });
    expect(model.requests).toEqual([]);
  });

  it('names everything that is wrong at once', async () => {
    const history = [{ role: 'robot', content: '' }, good, { role: 'user' }];
    await expect(run({ history })).rejects.toMatchObject({
      problems: [{ path: 'history[0].role' }, { path: 'history[2].content' }],
    });
  });
});

describe('message of runAgent', () => {
  it.each([
    [undefined, 'must be a string'],
    [7, 'must be a string'],
    [' ', 'must not be empty'],
  ])('that is %j is refused', async (message, problem) => {
    await expect(run({ message })).rejects.toMatchObject({
      code: 'invalid_request',
      problems: [{ path: 'message', message: problem }],
    });
  });
});

/** An entry of a request as a provider's checker sees it: its role, its calls and its results. */
interface Entry {
  role: 'user' | 'model' | 'result';
  calls: string[];
  results: string[];
}

/** Reads calls and results back from the body that was sent, per provider. */
const READERS: Record<string, (body: Body) => Entry[]> = {
  openai_compatible: (body) =>
    (body.messages ?? []).flatMap((message): Entry[] => {
      if (message.role === 'system') return [];
      const calls = (message.tool_calls ?? []).map((call) => call.id);
      if (message.role === 'tool')
        return [{ role: 'result' as const, calls: [], results: [String(message.tool_call_id)] }];
      return [{ role: message.role === 'user' ? ('user' as const) : ('model' as const), calls, results: [] }];
    }),
  anthropic: (body) =>
    (body.messages ?? []).map((message) => {
      const parts = Array.isArray(message.content) ? message.content : [];
      const results = parts.filter((part) => part.type === 'tool_result').map((part) => String(part.tool_use_id));
      const calls = parts.filter((part) => part.type === 'tool_use').map((part) => String(part.id));
      if (message.role === 'assistant') return { role: 'model', calls, results: [] };
      return { role: results.length > 0 ? 'result' : 'user', calls: [], results };
    }),
  google: (body) =>
    (body.contents ?? []).map(({ role, parts }) => {
      const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall.name] : []));
      const results = parts.flatMap((part) => (part.functionResponse ? [part.functionResponse.name] : []));
      if (role === 'model') return { role: 'model', calls, results: [] };
      return { role: results.length > 0 ? 'result' : 'user', calls: [], results };
    }),
};

interface Body {
  messages?: {
    role: string;
    tool_calls?: { id: string }[];
    tool_call_id?: string;
    content: string | { type: string; id?: string; tool_use_id?: string }[];
  }[];
  contents?: { role: string; parts: { functionCall?: { name: string }; functionResponse?: { name: string } }[] }[];
}

/** The fault that a strict provider would report: results must follow their calls at once, completely and in order. */
function faultOf(entries: Entry[]): string | undefined {
  if (entries[0]?.role !== 'user') return 'does not begin with the user';
  let open: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.role === 'result') {
      const due = open.splice(0, entry.results.length);
      if (due.join() !== entry.results.join()) return `results ${entry.results} for calls ${due}`;
      continue;
    }
    if (open.length > 0) return `calls ${open} without results`;
    if (entry.role === 'user' && entries[index - 1]?.role === 'user') return 'two user messages in a row';
    open = [...entry.calls];
  }
  return open.length > 0 ? `calls ${open} without results` : undefined;
}

const id = fc.constantFrom('call_a', 'call_b', 'call_c');
const stored: fc.Arbitrary<Message> = fc.oneof(
  fc.constant(makeMessage({ role: 'user', content: 'hi' })),
  fc.tuple(fc.constantFrom('', 'text'), fc.uniqueArray(id, { maxLength: 2 })).map(([content, ids]) =>
    makeMessage({
      role: 'assistant',
      // A stored reply has text or calls.
      content: ids.length > 0 ? content : 'text',
      ...(ids.length > 0 && { tool_calls: ids.map((call) => ({ id: call, name: call, arguments: {} })) }),
    }),
  ),
  id.map((call) => makeMessage({ role: 'tool', content: 'result', tool_call_id: call })),
);

describe('whatever is stored', () => {
  const protocols = WIRE_PROTOCOLS.filter(({ provider }) => provider in READERS);

  it.each(protocols)('is sent as $provider takes it', { timeout: 60_000 }, async ({ provider, reply, create }) => {
    const server = await startModelServer([sendPieces([reply], EVENT_STREAM)]);
    const model = create(server.url);
    const read = READERS[provider] ?? (() => []);
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { maxLength: 10 }), async (history) => {
        const now = makeMessage({ role: 'user', content: 'now' });
        const messages = buildMessages(history, [now], { context_tokens: 128_000 });
        await collectOutcome(model.stream(makeRequest({ messages }), { signal: NEVER_ABORTED }));
        // The fake stores the sent body; its shape depends on the provider.
        expect(faultOf(read(server.requests.at(-1)?.body as Body))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
    await server[Symbol.asyncDispose]();
  });
});

/** A caller that stores only the texts of a conversation. */
function openCaller() {
  const folder = temporaryFolder();
  return async function say(message: string, ...texts: string[]): Promise<TurnResult> {
    const agent = await loadAgent(join(import.meta.dirname, '../agents/todo/agent.yaml'));
    const history = texts.map((content, index) =>
      index % 2 === 0 ? { role: 'user' as const, content } : { role: 'assistant' as const, content },
    );
    const turn = runAgent({ agent, user: ALICE, message, history, folder });
    for (;;) {
      const next = await turn.next();
      if (next.done) return next.value;
    }
  };
}

describe('a history of texts alone', () => {
  it('resolves "it", and the found task is among the parameters of the intent', async () => {
    const say = openCaller();
    const added = await say('remind me to buy milk');
    await say('remind me to buy milk and eggs');
    const texts = ['remind me to buy milk', added.content];
    const done = await say('mark it as done', ...texts);
    const task = done.tool_calls.find(({ name }) => name === 'complete_task');
    expect(task).toMatchObject({ state: 'completed', result: { title: 'buy milk', is_completed: true } });
    expect(done.intent).toMatchObject({ name: 'complete_task', parameters: { task_id: task?.arguments.task_id } });
    const deleted = await say('delete it', ...texts, 'thanks', 'You are welcome.');
    expect(deleted.tool_calls.map(({ name, state }) => [name, state])).toEqual([
      ['list_tasks', 'completed'],
      ['delete_task', 'completed'],
    ]);
  });

  it('that names several tasks leads to a question', async () => {
    const say = openCaller();
    await say('remind me to buy milk');
    await say('remind me to call mom');
    const asked = await say('delete it', 'what are my tasks?', 'You have 2 tasks: 1. buy milk 2. call mom');
    expect(asked.content).toMatch(/^Which task did you mean/);
    expect(asked.tool_calls.map(({ name }) => name)).toEqual(['list_tasks']);
  });

  it('that names no task of the user leads to a question', async () => {
    const asked = await openCaller()('complete it', 'remind me to buy milk', "I've added 'buy milk' to your tasks.");
    expect(asked.content).toBe('Which task should I mark as done?');
  });
});
