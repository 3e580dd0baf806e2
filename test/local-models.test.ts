import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFound, listModels, USUAL } from '../src/cli/local-models.ts';
import { readAgent } from '../src/config/load-agent.ts';
import { findLocalServers, PATIENT } from '../src/runtime/local-servers.ts';
import { COMMAND } from './command.ts';
import { startModelServer } from './fakes/model-server.ts';
import { type FakeOllama, type OllamaOptions, startOllama } from './fakes/ollama-server.ts';
import { temporaryFolder } from './runtime.ts';
import { startSession } from './terminal/session.ts';

const QWEN = { name: 'qwen3:4b' };

/** A home folder of its own, and an Ollama at the address that its variable names. */
async function openHome(options: Partial<OllamaOptions> = {}) {
  const server: FakeOllama = await startOllama({ models: [QWEN], ...options });
  const home = await temporaryFolder();
  const env = {
    XDG_CONFIG_HOME: join(home, 'config'),
    HOLODECK_DATA: join(home, 'data'),
    OLLAMA_HOST: new URL(server.url).host,
  };
  return {
    server,
    home,
    env,
    config: join(home, 'config', 'holodeck', 'config.yaml'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function run(args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, ...env }, stdio: 'pipe' });
  child.stdin.end(input);
  const text = { out: '', aside: '' };
  child.stdout.on('data', (piece) => (text.out += piece));
  child.stderr.on('data', (piece) => (text.aside += piece));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, ...text };
}

/** Variables with which a program writes its connections to a file. */
function recordNetwork(folder: string) {
  const NETWORK_RECORD = join(folder, 'network');
  writeFileSync(NETWORK_RECORD, '');
  return { NETWORK_RECORD, NODE_OPTIONS: `--import=${join(import.meta.dirname, 'fixtures', 'record-network.ts')}` };
}

describe('findLocalServers', () => {
  const none = {
    lmstudio: 'http://127.0.0.1:1',
    docker: 'http://127.0.0.1:1',
    llamacpp: 'http://127.0.0.1:1',
  } as const;

  it('finds models and whether they call tools', async () => {
    await using server = await startOllama({ models: [{ name: 'gemma:2b', capabilities: ['completion'] }, QWEN] });
    const found = await findLocalServers({ addresses: { ...none, ollama: server.url }, ...PATIENT });
    expect(listModels(found).map(({ id, facts, fits }) => [id, facts, fits])).toEqual([
      ['ollama/qwen3:4b', ['tools: yes'], true],
      ['ollama/gemma:2b', ['tools: no'], false],
    ]);
    const described = (namesModel: boolean) => describeFound(found, { ...USUAL, namesModel });
    expect(described(true)).toMatch(/ Use it: \/model ollama\/qwen3:4b$/);
    expect(described(false)).toMatch(
      /^Ollama runs here with qwen3:4b \(tools: yes\)\. Use it: \/model ollama\/qwen3:4b; .* use ollama\/qwen3:4b$/,
    );
    expect(server.requests.sort()).toEqual(['GET /api/tags', 'POST /api/show', 'POST /api/show']);
  });

  it.each([
    ['cannot call tools', { capabilities: ['completion'] }, 'tools: no'],
    ['reads 512 tokens', { capabilities: ['completion', 'tools'], contextTokens: 512 }, 'window: 512 tokens'],
  ])('recommends no model that %s', async (_, facts, reason) => {
    await using server = await startOllama({ models: [{ name: 'small', ...facts }] });
    const found = await findLocalServers({ addresses: { ...none, ollama: server.url }, ...PATIENT });
    const line = describeFound(found, USUAL);
    expect(line).toContain(reason);
    expect(line).toMatch(/not enough for this agent: choose qwen3 or llama3\.1 \(`ollama pull qwen3`\)\.$/);
    expect(describeFound(found, { limits: {}, hasTools: false })?.includes('Use it')).toBe(reason === 'tools: no');
  });

  it('names a server that has no model yet, and what to download', async () => {
    await using server = await startOllama({ models: [{ name: 'nomic-embed-text' }] });
    const found = await findLocalServers({ addresses: { ...none, ollama: server.url }, ...PATIENT });
    expect(describeFound(found, USUAL)).toBe(
      'Ollama runs here without a model: choose qwen3 or llama3.1 (`ollama pull qwen3`).',
    );
  });

  it('asks no address outside this machine', async () => {
    const outside = 'http://192.0.2.1:11434';
    expect(await findLocalServers({ addresses: { ...none, ollama: outside } })).toEqual([]);
    expect(await findLocalServers({ addresses: none, env: { OLLAMA_HOST: '192.0.2.1' } })).toEqual(
      await findLocalServers({ addresses: none, env: {} }),
    );
  });
});

describe('holodeck use', () => {
  it('writes the model and keeps the rest of the file', async () => {
    await using world = await openHome();
    await mkdir(join(world.home, 'config', 'holodeck'), { recursive: true });
    writeFileSync(
      world.config,
      '# mine\nmodel: { provider: google, name: g, endpoint: "https://example.com", temperature: 0 }\nlimits: { message_chars: 5000 }\n',
    );
    const { code, out } = await run(['use', 'ollama/qwen3:4b'], world.env);
    expect([code, out]).toEqual([0, expect.stringContaining('now use ollama/qwen3:4b')]);
    const text = readFileSync(world.config, 'utf8');
    expect(text).toMatch(/^# mine\n/);
    expect(text).toContain('message_chars: 5000');
    expect(text).not.toContain('example.com');
    const { out: answer } = await run(['chat'], world.env, 'hello\n');
    expect(answer).toBe('Hello.\n');
  });

  it('reaches a new agent with its conversation, and the shipped ones, but no agent that names its model', async () => {
    await using world = await openHome();
    const fresh = join(world.home, 'new');
    await run(['init', fresh], world.env);
    expect((await run(['run', fresh, 'remind me to buy milk'], world.env)).out).toContain("'buy milk'");
    await run(['use', 'ollama/qwen3:4b'], world.env);
    const own = join(world.home, 'own.yaml');
    writeFileSync(own, 'name: own\ninstructions: Help.\nmodel: { provider: builtin }\n');
    const files = [fresh, 'agents/todo', 'agents/retail', 'examples/own-data', own];
    const read = await Promise.all(files.map((file) => readAgent(file, { env: world.env })));
    expect(read.map(({ agent, namesModel }) => [agent.model.provider, namesModel])).toEqual([
      ...Array.from({ length: 4 }, () => ['ollama', false]),
      ['builtin', true],
    ]);
    expect((await run(['run', fresh, 'hello', '--resume'], world.env)).out).toBe('Hello.\n');
    const said = world.server.chats[0]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(said).toEqual(['remind me to buy milk', 'hello']);
  });

  it('lists the models of this machine, refuses a name without a provider, and says what a choice lacks', async () => {
    const weak = { name: 'gemma:2b', capabilities: ['completion'] };
    await using world = await openHome({ models: [QWEN, weak] });
    expect((await run(['use'], world.env)).out).toMatch(/use ollama\/qwen3:4b {3}Ollama, tools: yes\n/);
    expect((await run(['use', 'qwen3'], world.env)).aside).toContain('did you mean ollama/qwen3:4b?');
    expect((await run(['use', 'ollama/gemma:2b'], world.env)).out).toContain(
      'gemma:2b cannot call tools. Choose qwen3 or llama3.1',
    );
    expect((await run(['use'], world.env)).out.split('\n')).toEqual([
      expect.stringMatching(/use ollama\/qwen3:4b {3}Ollama, tools: yes$/),
      expect.stringMatching(/use ollama\/gemma:2b {3}Ollama, tools: no, in use$/),
      expect.stringMatching(/use builtin {3}no key needed$/),
      '',
    ]);
    expect((await run(['doctor'], world.env)).out).toMatch(
      /^found +local +Ollama, tools: no: ollama\/gemma:2b is not enough for this agent$/m,
    );
    expect((await run(['use', 'ollama/mistral'], world.env)).out).toMatch(
      /has no mistral, only .*\. ollama pull mistral/,
    );
  });
});

describe('a chat with the built-in model', () => {
  it('shows one line about a local model and sends it nothing', async () => {
    await using world = await openHome();
    const session = startSession(['chat'], { env: world.env, columns: 160 });
    const shown = await session.until('Ollama runs here with qwen3:4b (tools: yes). Use it:');
    expect(shown.match(/runs here/g)).toHaveLength(1);
    expect(world.server.chats).toEqual([]);
    session.type('\u0004');
    await session.exit;
  });

  it('answers while a server that never replies is still asked, and connects to four addresses of this machine', async () => {
    await using silent = await startModelServer([() => new Promise(() => {})]);
    const home = temporaryFolder();
    const env = {
      ...recordNetwork(home),
      NO_TIME_LIMIT: '1',
      XDG_CONFIG_HOME: home,
      HOLODECK_DATA: join(home, 'data'),
      OLLAMA_HOST: new URL(silent.url).host,
    };
    const session = startSession(['chat'], { env });
    await session.until('/help lists');
    session.type('add milk\r');
    await session.until("I've added 'milk'");
    expect(silent.requests.map(({ path }) => path)).toEqual(['/api/tags']);
    expect(readFileSync(env.NETWORK_RECORD, 'utf8').trim().split('\n').toSorted()).toEqual(
      ['127.0.0.1:12434', '127.0.0.1:1234', '127.0.0.1:8080', env.OLLAMA_HOST].toSorted(),
    );
  });

  it('connects to nothing without a terminal', async () => {
    const home = temporaryFolder();
    const env = { ...recordNetwork(home), XDG_CONFIG_HOME: home, HOLODECK_DATA: join(home, 'data') };
    expect((await run(['chat'], env, 'add milk\n')).out).toContain("'milk'");
    expect(readFileSync(env.NETWORK_RECORD, 'utf8')).toBe('');
  });

  it.each([['doctor'], ['use']])('%s connects to model servers of this machine only', async (command) => {
    const home = temporaryFolder();
    const env = { ...recordNetwork(home), XDG_CONFIG_HOME: home, HOLODECK_DATA: join(home, 'data') };
    expect((await run([command], env)).code).toBe(0);
    const asked = new Set(readFileSync(env.NETWORK_RECORD, 'utf8').trim().split('\n'));
    asked.delete('127.0.0.1:8000'); // the port of `serve`, if another program has it
    expect(asked).toEqual(new Set(['127.0.0.1:9', '127.0.0.1:12434', '127.0.0.1:1234', '127.0.0.1:8080']));
  });

  it('warns on the first screen of a model of `use` that cannot call tools, and its refusals name /model', async () => {
    await using world = await openHome({ models: [{ name: 'gemma:2b', capabilities: ['completion'] }] });
    await run(['use', 'ollama/gemma:2b'], world.env);
    const session = startSession(['chat'], { env: world.env, columns: 250 });
    await session.until(/gemma:2b cannot call tools\. Choose qwen3 .*: \/model builtin, or .* use builtin/);
    session.type('\u0004');
    await session.exit;
    expect(world.server.chats).toEqual([]);
    const { aside } = await run(['chat'], world.env, 'hello\n');
    expect(aside).toContain('in model.name or with `/model builtin`.');
    expect(aside).not.toContain('holodeck use');
  });

  it('says at once what a model of /model lacks', async () => {
    await using world = await openHome({ models: [{ name: 'gemma:2b', capabilities: ['completion'] }] });
    const { out } = await run(['chat'], world.env, '/model ollama/gemma:2b\n');
    expect(out).toMatch(/^the model is ollama gemma:2b\ngemma:2b cannot call tools\. Choose qwen3 .*use builtin\n$/);
  });

  it('marks the model in use, which stays if another one cannot be used', async () => {
    await using world = await openHome();
    const env = { ...world.env, OPENAI_API_KEY: '' };
    const { out, aside } = await run(['chat'], env, '/model\n/model openai/gpt-5\n/model ollama/qwen3:4b\n/model\n');
    const lists = out.split('\n').filter((line) => line.startsWith('  /model'));
    expect(lists).toEqual([
      '  /model ollama/qwen3:4b   Ollama, tools: yes',
      '  /model builtin   no key needed, in use',
      '  /model ollama/qwen3:4b   Ollama, tools: yes, in use',
      '  /model builtin   no key needed',
    ]);
    expect(aside).toMatch(/^model\.api_key: is missing; export OPENAI_API_KEY=.*\nThe model is still built-in.*\.\n$/);
  });

  it('keeps the conversation when /model switches', async () => {
    await using world = await openHome();
    const { out } = await run(['chat'], world.env, 'add milk\n/model\nnpx holodeck use ollama/qwen3:4b\nand now?\n');
    expect(out).toContain('/model builtin   no key needed');
    expect(out).toContain('/model ollama/qwen3:4b   Ollama, tools: yes');
    expect(out.trim().endsWith('Hello.')).toBe(true);
    const [chat] = world.server.chats;
    expect(chat?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(chat?.messages[1]?.content).toBe('add milk');
  });
});
