import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { explainNetwork } from '../src/models/network-errors.ts';
import { findLocalServers, PATIENT } from '../src/runtime/local-servers.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import type { ChatInput } from '../src/runtime/turn/chat.ts';
import { ALICE, buildAgent, buildTool } from './build.ts';
import { createFastClock } from './fakes/fast-clock.ts';
import { type LocalKind, type LocalOptions, startLocalServer } from './fakes/local-servers.ts';
import { startOllama } from './fakes/ollama-server.ts';
import { freePort } from './free-port.ts';
import { collect, temporaryFolder } from './runtime.ts';

const KINDS: readonly LocalKind[] = ['lmstudio', 'docker', 'llamacpp'];
/** 40 s of loading take one. */
const fast = createFastClock(40);
const ADD = buildTool({
  name: 'add_task',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
});

interface Asked {
  provider: string;
  endpoint: string;
  name?: string;
  message?: string;
  input?: Partial<ChatInput>;
  clock?: Clock;
}

/** A turn with one tool, through the runtime. */
async function ask({ provider, endpoint, name = 'qwen3-4b', message = 'add milk', input = {}, clock }: Asked) {
  const source = {
    name: 'test',
    tools: async () => [ADD],
    status: () => ({ state: 'ready' as const, tools: [] }),
    close: async () => {},
  };
  const authors: unknown[] = [];
  const runtime = await createRuntime({
    agents: [buildAgent({ model: { provider, name, endpoint } })],
    folder: temporaryFolder(),
    sources: [source],
    ...(clock && { clock }),
    log: (_, { author }) => authors.push(author),
  });
  onTestFinished(() => runtime.stop());
  const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message, ...input }));
  const last = events.at(-1);
  if (last?.type !== 'turn-end') throw new Error('no end');
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { ...last.result, notices, authors };
}

async function open(kind: LocalKind, options: LocalOptions = {}, asked: Partial<Asked> = {}) {
  const server = await startLocalServer(kind, options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, result: await ask({ provider: kind, endpoint: server.url, ...asked }) };
}

/** Calls the tool, then reports its result. */
const addMilk: LocalOptions['answer'] = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { content: 'Milk is on the list.' }
    : { call: { name: 'add_task', arguments: { title: 'milk' } } };

describe.each(KINDS)('%s', (kind) => {
  it('answers a turn with a tool call, at an address without a path', async () => {
    const { server, result } = await open(kind, { answer: addMilk });
    expect(result).toMatchObject({ status: 'completed', content: 'Milk is on the list.' });
    const [call, done] = server.chats[1]?.messages.slice(-2) ?? [];
    expect(call).toMatchObject({ tool_calls: [{ function: { name: 'add_task', arguments: '{"title":"milk"}' } }] });
    expect(done).toMatchObject({ role: 'tool', content: '{"title":"milk"}' });
  });

  it('takes a named tool as the only one that it must call', async () => {
    const { server } = await open(kind, { answer: addMilk }, { input: { toolChoice: { name: 'add_task' } } });
    expect(server.chats[0]).toMatchObject({ tool_choice: 'required', tools: [{ function: { name: 'add_task' } }] });
  });

  it('takes an answer format', async () => {
    const format = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const { result } = await open(
      kind,
      { answer: () => ({ content: '{"n":1}' }) },
      { input: { responseFormat: format } },
    );
    expect(result).toMatchObject({ status: 'completed', content: '{"n":1}' });
  });

  it('says when a conversation is too long for its window', async () => {
    const { result } = await open(kind, { contextTokens: 500 }, { message: 'word '.repeat(800) });
    expect(result.error).toMatchObject({ code: 'context_too_long' });
  });
});

describe('a model that is not there', () => {
  it.each([
    ['lmstudio', 'download it with `lms get mistral`'],
    ['docker', 'download it with `docker model pull mistral`'],
  ] as const)('is named with the command of %s', async (kind, advice) => {
    const { server, result } = await open(kind, {}, { name: 'mistral' });
    expect(result.error).toMatchObject({ code: 'model_refused' });
    expect(result.authors).toContainEqual(expect.stringContaining(advice));
    expect(server.requests).toHaveLength(1);
  });

  it('is another name for the only model of llama.cpp', async () => {
    expect((await open('llamacpp', {}, { name: 'mistral' })).result.content).toBe('Hello.');
  });
});

describe('a model without tools', () => {
  it('is explained for llama.cpp without --jinja, after one request', async () => {
    const { server, result } = await open('llamacpp', { hasJinja: false });
    expect(result.error).toMatchObject({ code: 'model_refused' });
    expect(result.authors).toContainEqual(
      expect.stringContaining('Start it with `llama-server -m model.gguf --jinja`'),
    );
    expect(server.requests).toHaveLength(1);
  });

  it('calls them in words in LM Studio, which passes calls that it cannot read as text', async () => {
    const answer: LocalOptions['answer'] = (body) => {
      const { call, ...said } = addMilk(body);
      return call ? { content: `<tool_call>\n${JSON.stringify(call)}\n</tool_call>` } : said;
    };
    expect((await open('lmstudio', { answer })).result).toMatchObject({ content: 'Milk is on the list.' });
  });
});

describe('a wrong path', () => {
  it.each(KINDS)('of %s is a fault of the address', async (kind) => {
    const server = await startLocalServer(kind);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { error, authors } = await ask({ provider: kind, endpoint: `${server.url}/wrong` });
    expect(error).toMatchObject({ code: 'model_refused' });
    expect(authors).toContainEqual(expect.stringContaining('model.endpoint'));
    expect(server.requests).toHaveLength(1);
  });
});

describe('an address at which nothing answers', () => {
  it.each([
    ['of one of our own', 'http://127.0.0.1:11999', '`ollama serve`, or correct model.endpoint.'],
    ['of the provider', 'http://127.0.0.1:11434', '`ollama serve`.'],
  ])('%s is explained with its remedies', async (_, endpoint, advice) => {
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const origin = { provider: 'ollama', model: 'qwen3:4b', host: new URL(endpoint).host } as const;
    expect(explainNetwork(origin, error).author).toBe(
      `Nothing answers at ${origin.host}. Is Ollama running? Start it with ${advice}`,
    );
  });

  it('is said to the author of a turn', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const { authors } = await ask({ provider: 'ollama', endpoint, clock: fast });
    expect(authors).toContainEqual(expect.stringMatching(/`ollama serve`, or correct model\.endpoint\.$/));
  });
});

describe('a model that loads for 40 s', () => {
  const notice = (label: string) =>
    `${label} has not answered for 5 s: its server may be loading the model. The wait ends after 300 s.`;

  it('answers from Ollama, which is silent meanwhile, and a person reads why', async () => {
    const loading = new Promise<void>((resolve) => fast.after(40_000, resolve));
    await using server = await startOllama({ models: [{ name: 'qwen3:4b' }], loading });
    const { content, notices } = await ask({ provider: 'ollama', name: 'qwen3:4b', endpoint: server.url, clock: fast });
    expect([content, notices]).toEqual(['Hello.', [notice('ollama qwen3:4b')]]);
    expect(server.chats).toHaveLength(1);
  });

  it('answers from llama.cpp, which refuses meanwhile', async () => {
    const loaded = fast.now() + 40_000;
    const { result } = await open('llamacpp', { isLoading: () => fast.now() < loaded }, { clock: fast });
    expect([result.content, result.notices]).toEqual(['Hello.', [notice('llamacpp qwen3-4b')]]);
  });

  it('is not mentioned once it has answered', async () => {
    await using server = await startOllama({ models: [{ name: 'qwen3:4b' }] });
    expect((await ask({ provider: 'ollama', name: 'qwen3:4b', endpoint: server.url })).notices).toEqual([]);
  });
});

describe('findLocalServers', () => {
  it('finds the models of all servers, and the window of llama.cpp', async () => {
    const servers = await Promise.all(
      KINDS.map((kind) => startLocalServer(kind, { models: [`${kind}-1`, 'x-embed'] })),
    );
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))));
    const addresses = Object.fromEntries(KINDS.map((kind, index) => [kind, servers[index]?.url]));
    const found = await findLocalServers({
      addresses: { ...addresses, ollama: 'http://127.0.0.1:1' },
      env: {},
      ...PATIENT,
    });
    expect(found.map(({ provider, models }) => [provider, models])).toEqual([
      ['lmstudio', [{ name: 'lmstudio-1' }]],
      ['docker', [{ name: 'docker-1' }]],
      ['llamacpp', [{ name: 'llamacpp-1', contextTokens: 8_192 }]],
    ]);
    expect(servers.map(({ requests }) => requests)).toEqual([
      ['GET /v1/models'],
      ['GET /engines/v1/models'],
      ['GET /v1/models'],
    ]);
  });
});
