import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readFrames, type ServerScene, serveRuntime } from './server.ts';

const TODO = join(import.meta.dirname, '..', '..', 'agents', 'todo', 'agent.yaml');

/** The protocol's own client. Like a page, it sends all of its messages with each run. */
function createClient(url: string) {
  const agent = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer alice' }, threadId: 'thread 1' });
  const run = async () => {
    const { newMessages } = await agent.runAgent();
    const last = newMessages.at(-1);
    return typeof last?.content === 'string' ? last.content : '';
  };
  const ask = (content: string, id: string = crypto.randomUUID()) => {
    agent.addMessage({ id, role: 'user', content });
    return run();
  };
  /** Removes everything after this message and sends the message again, with another text if one is given. */
  const again = (id: string, content?: string) => {
    const end = agent.messages.findIndex((message) => message.id === id);
    const kept = agent.messages.slice(0, end + 1);
    agent.setMessages(kept.map((message) => (message.id === id && content ? { id, role: 'user', content } : message)));
    return run();
  };
  return { agent, ask, again };
}

async function openTodo() {
  const runtime = await createRuntime({ agents: [await loadAgent(TODO)], folder: temporaryFolder() });
  onTestFinished(() => runtime.stop());
  const served = await serveRuntime(runtime);
  return { ...served, ...createClient(served.url) };
}

async function openScripted(scene: ServerScene) {
  const server = await openServer(scene);
  return { ...server, ...createClient(server.url) };
}

/** A tool that counts its runs. */
function countingTool(name: string, parts: { readOnly?: boolean } = {}) {
  const effects: unknown[] = [];
  const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
  const run = (args: object) => `${name} ${effects.push(args)}`;
  return { effects, tool: buildTool({ name, inputSchema, ...parts, run }) };
}

const add = (title: string) => ({ calls: [{ name: 'add', arguments: { title } }] });

/** Simulates a process that was killed while the calls `first` and `second` of the thread's first message ran. */
function crashWithin(folder: string): void {
  const fixture = join(import.meta.dirname, '..', 'fixtures', 'killed-turn.ts');
  spawnSync(process.execPath, [fixture, folder, AFTER_CALLS_BEGAN, 'thread 1']);
}
const AFTER_CALLS_BEGAN = '8';

interface Session {
  title: string;
  message_count: number;
  messages: { role: string; content: string; client_id?: string }[];
}

async function readSession(call: (what: string) => Promise<Response>): Promise<Session & { session_id: string }> {
  const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one shape
  const id = sessions[0]?.session_id ?? '';
  return { ...((await (await call(`GET /sessions/${id}`)).json()) as Session), session_id: id }; // one shape
}

describe('regenerate over AG-UI, with the todo agent', () => {
  it('adds milk, regenerates and lists one task', async () => {
    const { ask, again, call } = await openTodo();
    expect(await ask('add milk', 'm1')).toContain('milk');
    expect(await again('m1')).toContain('milk');
    expect(await ask('list my tasks')).toMatch(/1 task\b/);
    const session = await readSession(call);
    expect(session.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'add milk',
      'list my tasks',
    ]);
    expect(session.message_count).toBe(4);
  });

  it('does not repeat earlier effects of an edited message, and runs new calls', async () => {
    const { ask, again } = await openTodo();
    await ask('add milk', 'm1');
    await again('m1', 'please add milk');
    expect(await ask('list my tasks', 'm2')).toMatch(/1 task\b/);
    expect(await again('m1', 'add bread')).toContain('bread');
    const list = await ask('list my tasks');
    expect(list).toMatch(/2 tasks/);
    expect([list.includes('milk'), list.includes('bread')]).toEqual([true, true]);
  });
});

describe('the same message again over AG-UI', () => {
  it('starts with the calls that changed something, and runs the others again', async () => {
    const adding = countingTool('add');
    const looking = countingTool('look', { readOnly: true });
    const both = { calls: [{ name: 'add', arguments: { title: 'milk' } }, { name: 'look' }] };
    const { ask, again, model, agent } = await openScripted({
      replies: [both, 'First.', { calls: [{ name: 'look' }] }, 'Second.'],
      tools: [adding.tool, looking.tool],
    });
    await ask('hello', 'm1');
    expect(await again('m1')).toBe('Second.');
    expect([adding.effects.length, looking.effects.length]).toEqual([1, 2]);
    expect(model.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['assistant', ''],
      ['tool', 'add 1'],
    ]);
    const shown = agent.messages.map(({ role, content }) => [role, content ?? '']);
    expect(shown).toEqual([
      ['user', 'hello'],
      ['assistant', ''],
      ['tool', 'add 1'],
      ['assistant', ''],
      ['tool', 'look 2'],
      ['assistant', 'Second.'],
    ]);
  });

  it('gives a model that repeats a finished call its result, however often it is regenerated', async () => {
    const { tool, effects } = countingTool('add');
    const replies = [add('milk'), 'First.', add('milk'), 'Second.', add('milk'), add('eggs'), 'Third.'];
    const { ask, again } = await openScripted({ replies, tools: [tool] });
    await ask('hello', 'm1');
    await again('m1');
    expect(await again('m1')).toBe('Third.');
    expect(effects).toEqual([{ title: 'milk' }, { title: 'eggs' }]);
  });

  it('tries a failed call once more', async () => {
    let isDown = true;
    const run = () => {
      if (isDown) throw new Error('down');
      return 'added';
    };
    const tool = buildTool({ name: 'add', run });
    const { ask, again, model } = await openScripted({
      replies: [{ calls: [{ name: 'add' }] }, 'Sorry.', { calls: [{ name: 'add' }] }, 'Done.'],
      tools: [tool],
    });
    await ask('hello', 'm1');
    isDown = false;
    expect(await again('m1')).toBe('Done.');
    expect(model.requests[3]?.messages.at(-1)?.content).toBe('added');
  });

  it('is a note to the model when the text is another one, and one repetition of a call is not run', async () => {
    const { tool, effects } = countingTool('add');
    const twice = { calls: [...add('milk').calls, ...add('milk').calls] };
    const { ask, again, model } = await openScripted({
      replies: [add('milk'), 'First.', twice, 'Second.'],
      tools: [tool],
    });
    await ask('add milk', 'm1');
    expect(await again('m1', 'add milk twice')).toBe('Second.');
    expect(effects).toEqual([{ title: 'milk' }, { title: 'milk' }]);
    expect(model.requests[2]?.messages.map(({ content }) => content)).toEqual(['add milk twice']);
    expect(model.requests[2]?.system).toContain('add {"title":"milk"}: add 1');
  });

  it.each([
    ['add milk', 'a regenerated one'],
    ['add milk now', 'an edited one'],
  ])('does not run a call again whose effect is not known: "%s", %s', async (text) => {
    const effects: unknown[] = [];
    const run = (args: object) => {
      effects.push(args);
      return new Promise<never>(() => {});
    };
    const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
    const { ask, again, model } = await openScripted({
      replies: [add('milk'), 'First.', add('milk'), 'Second.'],
      tools: [buildTool({ name: 'add', inputSchema, run })],
      agent: { loop: { tool_timeout_seconds: 0.2 } },
    });
    await ask('add milk', 'm1');
    expect(await again('m1', text)).toBe('Second.');
    expect(effects).toEqual([{ title: 'milk' }]);
    expect(model.requests[3]?.messages.at(-1)?.content).toContain('Whether it took effect is not known');
  });

  it('is sent without the messages after an edited one, and with a note of their effects', async () => {
    const { tool, effects } = countingTool('add');
    const replies = [add('milk'), 'One.', add('eggs'), 'Two.', add('eggs'), 'New.', 'Next.'];
    const { ask, again, model, call } = await openScripted({ replies, tools: [tool] });
    await ask('add milk', 'm1');
    await ask('and eggs', 'm2');
    expect(await again('m1', 'add eggs')).toBe('New.');
    expect(effects).toEqual([{ title: 'milk' }, { title: 'eggs' }]);
    expect(model.requests[4]?.system).toMatch(/add \{"title":"milk"\}.*\n.*add \{"title":"eggs"\}/);
    await ask('thanks', 'm3');
    const texts = model.requests[6]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(texts).toEqual(['add eggs', 'thanks']);
    const session = await readSession(call);
    expect([session.message_count, session.messages[0]]).toMatchObject([4, { content: 'add eggs', client_id: 'm1' }]);
    expect(session.title).toBe('add eggs');
  });

  it('keeps the old turn as it was: its run sent again gives its old answer', async () => {
    const { call, model } = await openScripted({ replies: ['First.', 'Second.', 'Third.'] });
    const body = (runId: string, content: string) => ({
      threadId: 'thread 1',
      runId,
      messages: [{ id: 'm1', role: 'user', content }],
      tools: [],
      context: [],
    });
    const send = async (runId: string, content: string) =>
      (await call('POST /awp', { body: body(runId, content) })).text();
    const first = await send('r1', 'hello');
    const second = await send('r2', 'hello');
    expect([first.includes('First.'), second.includes('Second.')]).toEqual([true, true]);
    expect([await send('r1', 'hello'), await send('r2', 'hello')]).toEqual([first, second]);
    expect(model.requests).toHaveLength(2);
  });

  it('does not ask the page again for a tool that the page has run', async () => {
    const tools = [{ name: 'pick', description: 'Lets the user pick', parameters: { type: 'object', properties: {} } }];
    const pick = { calls: [{ name: 'pick', arguments: {} }] };
    const { agent, model } = await openScripted({ replies: [pick, 'First.', pick, 'Second.'] });
    agent.addMessage({ id: 'm1', role: 'user', content: 'hello' });
    await agent.runAgent({ tools });
    const toolCallId = agent.messages.flatMap((message) => ('toolCalls' in message ? (message.toolCalls ?? []) : []))[0]
      ?.id;
    agent.addMessage({ id: 't1', role: 'tool', toolCallId: toolCallId ?? '', content: 'blue' });
    await agent.runAgent({ tools });
    agent.setMessages(agent.messages.slice(0, 1));
    const { newMessages } = await agent.runAgent({ tools });
    expect(newMessages.at(-1)).toMatchObject({ role: 'assistant', content: 'Second.' });
    expect(newMessages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['blue', 'blue']);
    expect(model.requests[2]?.messages.map(({ content }) => content)).toEqual(['hello', '', 'blue']);
  });

  it('asks the page again for a tool that the page has not run', async () => {
    const tools = [{ name: 'pick', description: 'Lets the user pick', parameters: { type: 'object', properties: {} } }];
    const pick = { calls: [{ name: 'pick', arguments: {} }] };
    const { agent, call } = await openScripted({ replies: [pick, pick] });
    agent.addMessage({ id: 'm1', role: 'user', content: 'hello' });
    await agent.runAgent({ tools });
    agent.setMessages(agent.messages.slice(0, 1));
    const { newMessages } = await agent.runAgent({ tools });
    expect(newMessages).toMatchObject([{ role: 'assistant', toolCalls: [{ function: { name: 'pick' } }] }]);
    expect(await readSession(call)).toMatchObject({ message_count: 1, turn: { status: 'waiting' } });
  });

  it('is refused while a decision is open', async () => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const { agent, call } = await openScripted({ replies: [{ calls: [{ name: 'remove' }] }], tools: [remove] });
    agent.addMessage({ id: 'm1', role: 'user', content: 'hello' });
    await agent.runAgent();
    const messages = [{ id: 'm1', role: 'user', content: 'hello' }];
    const body = { threadId: 'thread 1', runId: 'other', messages, tools: [], context: [] };
    const refused = await call('POST /awp', { body });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'awaiting_input' }]);
  });

  it('keeps the files of the message when the client does not send them again', async () => {
    const { agent, again, model } = await openScripted({ replies: ['First.', 'Second.'] });
    const source = { type: 'data' as const, value: btoa('the secret word'), mimeType: 'text/plain' };
    const content = [
      { type: 'text' as const, text: 'hello' },
      { type: 'document' as const, source, metadata: { filename: 'a.txt' } },
    ];
    agent.addMessage({ id: 'm1', role: 'user', content });
    await agent.runAgent();
    expect(await again('m1', 'hello')).toBe('Second.');
    expect(model.requests[1]?.messages).toHaveLength(1);
    expect(model.requests[1]?.messages[0]?.content).toBe(model.requests[0]?.messages[0]?.content);
    expect(model.requests[1]?.messages[0]?.content).toContain('the secret word');
  });

  it('shows other readers of the thread which messages are left', async () => {
    const { ask, again, call } = await openScripted({ replies: ['One.', 'Two.', 'New.'] });
    await ask('hello', 'm1');
    await ask('and more', 'm2');
    const { session_id, messages } = await readSession(call);
    const followed = (format: string) => call(`GET /sessions/${session_id}/events?format=${format}`);
    await again('m2', 'and less');
    const snapshot = (await readFrames(await followed('ag-ui'))).find(({ data }) => data.type === 'MESSAGES_SNAPSHOT');
    expect(snapshot?.data.messages).toMatchObject([
      { id: 'm1', content: 'hello' },
      { content: 'One.' },
      { id: 'm2', content: 'and less' },
    ]);
    const { turns } = (await (await call(`GET /sessions/${session_id}/turns`)).json()) as { turns: { id: string }[] }; // one shape
    expect((await readFrames(await followed('rest')))[0]?.data).toMatchObject({ replaces: turns[1]?.id });
    expect(messages).toHaveLength(4);
  });

  it('is refused while the turn runs', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<string>();
    const tool = buildTool({
      name: 'add',
      run: () => {
        started.resolve();
        return finish.promise;
      },
    });
    const { ask, call } = await openScripted({ replies: [add('milk'), 'Done.'], tools: [tool] });
    const answer = ask('hello', 'm1');
    await started.promise;
    const messages = [{ id: 'm1', role: 'user', content: 'hello' }];
    const refused = await call('POST /awp', {
      body: { threadId: 'thread 1', runId: 'other', messages, tools: [], context: [] },
    });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'turn_running' }]);
    finish.resolve('added');
    expect(await answer).toBe('Done.');
  });

  it('continues after a crash with the stored results', async () => {
    const folder = temporaryFolder();
    crashWithin(folder);
    const tools = [countingTool('first'), countingTool('second')];
    const { call, ask, again, agent, model } = await openScripted({
      folder,
      replies: ['Done.', 'Again.'],
      tools: tools.map(({ tool }) => tool),
    });
    agent.setMessages([{ id: 'm1', role: 'user', content: 'hello' }]);
    expect(await again('m1')).toBe('Done.');
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(tools.flatMap(({ effects }) => effects)).toEqual([]);
    expect(await readSession(call)).toMatchObject({ message_count: 3 });
    expect(await ask('thanks')).toBe('Again.');
  });

  it('is the same attempt after a crash when the run that went on is sent again', async () => {
    const folder = temporaryFolder();
    crashWithin(folder);
    const { call, model } = await openScripted({ folder, replies: ['Done.', 'Never asked.'] });
    const messages = [{ id: 'm1', role: 'user', content: 'hello' }];
    const body = { threadId: 'thread 1', runId: 'second', messages, tools: [], context: [] };
    const texts = [await (await call('POST /awp', { body })).text(), await (await call('POST /awp', { body })).text()];
    expect(texts.map((text) => text.includes('Done.'))).toEqual([true, true]);
    expect(model.requests).toHaveLength(1);
  });

  it('continues with the carried calls when the regenerated turn itself was cut off', async () => {
    const folder = temporaryFolder();
    const { tool, effects } = countingTool('add');
    const before = await openScripted({ folder, replies: [add('milk'), 'First.', { hang: true }], tools: [tool] });
    await before.ask('hello', 'm1');
    const cut = before.again('m1').catch(() => 'cut off');
    await expect.poll(() => before.model.requests.length).toBe(3);
    await before.runtime.stop();
    await cut;
    const { agent, again, model, call } = await openScripted({
      folder,
      replies: [add('milk'), 'Done.'],
      tools: [tool],
    });
    agent.setMessages([{ id: 'm1', role: 'user', content: 'hello' }]);
    expect(await again('m1')).toBe('Done.');
    expect(effects).toEqual([{ title: 'milk' }]);
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(['hello', '', 'add 1']);
    const { session_id } = await readSession(call);
    const { turns } = (await (await call(`GET /sessions/${session_id}/turns`)).json()) as { turns: object[] }; // one shape
    expect(turns).toMatchObject([
      { attempt: 2, active: true },
      { attempt: 1, active: false },
    ]);
  });

  it('is a sibling when the text of an interrupted turn is another one', async () => {
    const folder = temporaryFolder();
    crashWithin(folder);
    const { again, agent, model, call } = await openScripted({ folder, replies: ['Edited.'] });
    agent.setMessages([{ id: 'm1', role: 'user', content: 'hello' }]);
    expect(await again('m1', 'good morning')).toBe('Edited.');
    expect(model.requests[0]?.system).toMatch(/- first \{\}: .*\n- second \{\}: /);
    expect(await readSession(call)).toMatchObject({ messages: [{ content: 'good morning' }, { content: 'Edited.' }] });
  });
});

describe('a message from before the first run of a thread', () => {
  const SEED = [
    { id: 's1', role: 'user', content: 'My name is Ann.' },
    { id: 's2', role: 'assistant', content: 'Hello Ann.' },
    { id: 's3', role: 'user', content: 'I have a cat.' },
    { id: 's4', role: 'assistant', content: 'Nice.' },
  ] as const;
  const sent = ({ requests }: { requests: readonly { messages: readonly { content: string }[] }[] }) =>
    requests.at(-1)?.messages.map(({ content }) => content);

  it.each([
    ['edited', 'I have a dog.'],
    ['answered again', undefined],
  ])('is %s in its place, and what came after it leaves the path', async (_, content) => {
    const adding = countingTool('add');
    const { agent, ask, again, call, model } = await openScripted({
      replies: [add('milk'), 'Added.', 'Good dog.'],
      tools: [adding.tool],
    });
    agent.setMessages([...SEED]);
    await ask('Add milk', 'm1');
    expect(await again('s3', content)).toBe('Good dog.');
    const shown = ['My name is Ann.', 'Hello Ann.', content ?? 'I have a cat.'];
    expect(sent(model)).toEqual(shown);
    expect(model.requests.at(-1)?.system).toContain('add {"title":"milk"}: add 1');
    const session = await readSession(call);
    expect(session.messages.map((message) => message.content)).toEqual([...shown, 'Good dog.']);
    expect([session.message_count, session.title, adding.effects.length]).toEqual([4, shown[2], 1]);
  });

  it('is not in the way of regenerating the first answer', async () => {
    const { agent, ask, again, call, model } = await openScripted({ replies: ['One.', 'Two.'] });
    agent.setMessages([...SEED]);
    await ask('Who am I?', 'm1');
    await again('m1', 'Who?');
    expect(sent(model)).toEqual([...SEED.map(({ content }) => content), 'Who?']);
    expect(await readSession(call)).toMatchObject({ message_count: 6, title: 'Who?' });
  });
});
