import { hash } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { examine } from '../src/cli/commands/doctor.ts';
import { runBuild } from '../src/cli/commands/knowledge.ts';
import {
  checkClock,
  checkDatabase,
  checkDisk,
  checkFolder,
  checkNode,
  checkPort,
} from '../src/cli/doctor/check-machine.ts';
import { checkModels } from '../src/cli/doctor/check-model.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { systemIds } from '../src/ids.ts';
import type { LocalServer } from '../src/runtime/local-servers.ts';
import { openSqliteAdmin } from '../src/store/sqlite/admin/admin.ts';
import { MIGRATIONS } from '../src/store/sqlite/migrations.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { startOllama } from './fakes/ollama-server.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';
import { openServer } from './server/server.ts';

async function writeAgent(lines: string): Promise<string> {
  const file = join(await temporaryFolder(), 'agent.yaml');
  writeFileSync(file, `name: helper\ninstructions: Help.\n${lines}`);
  return file;
}

const OLLAMA: LocalServer = {
  provider: 'ollama',
  title: 'Ollama',
  models: [
    { name: 'qwen3:4b', hasTools: true, contextTokens: 40_960 },
    { name: 'gemma:2b', hasTools: false, contextTokens: 40_960 },
    { name: 'tiny:1b', hasTools: true, contextTokens: 2_048 },
  ],
};
const EMPTY: LocalServer = { provider: 'ollama', title: 'Ollama', models: [] };
const SERVER = join(import.meta.dirname, 'fixtures/mcp-servers/servers.mjs');
const TOOLS = 'tools: [{ name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }]';

const OF_MACHINE = [
  ['an old Node', checkNode('20.11.0'), 'problem', /^npx -p node@24 -p holodeck holodeck$/],
  ['a wrong clock', checkClock(new Date('1970-01-02')), 'problem', /Set the date/],
  ['a full disk', checkDisk({ bavail: 10, bsize: 4096 }), 'problem', /Free some space/],
  ['an almost full disk', checkDisk({ bavail: 100_000, bsize: 4096 }), 'warning', /Free some space/],
] as const;

describe('holodeck doctor on the machine', () => {
  it.each(OF_MACHINE)('finds %s', (_, found, state, remedy) => {
    expect(found).toMatchObject({ state, remedy: expect.stringMatching(remedy) });
  });

  it('finds a file in place of the data folder, and a folder that is open to others', async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(checkFolder(join(folder, 'file'))).toMatchObject([{ state: 'problem', remedy: /--data/ }].map(like));
    expect(checkFolder(join(folder, 'file', 'below'))).toMatchObject(
      [{ state: 'problem', remedy: /--data/ }].map(like),
    );
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    expect(checkFolder(open)[0]).toMatchObject(like({ state: 'warning', remedy: /chmod 700/ }));
  });

  it('finds a database that is broken or newer', async () => {
    const broken = await temporaryFolder();
    writeFileSync(join(broken, 'holodeck.db'), 'no database'.repeat(500));
    const remedy = /db restore --data (\S+) <backup>, or move \1\/holodeck\.db away to start empty$/;
    expect(await checkDatabase({ database: undefined, folder: broken })).toMatchObject(
      like({ state: 'problem', remedy }),
    );
    expect(() => createSqliteStore({ folder: broken, now: () => new Date(), ids: systemIds })).toThrow(
      /Restore a backup with `holodeck db restore`, or move the file away to start empty\.$/,
    );
    const folder = await temporaryFolder();
    const { to } = await openSqliteAdmin(folder).migrate();
    const database = new DatabaseSync(join(folder, 'holodeck.db'));
    database.exec(`UPDATE meta SET value = ${to + 1} WHERE key = 'version'`);
    database.close();
    expect(await checkDatabase({ database: undefined, folder })).toMatchObject(like({ remedy: /holodeck@latest/ }));
  });

  it('finds a port that is in use and names a free one', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    expect(await checkPort('127.0.0.1', port)).toMatchObject(like({ state: 'warning', remedy: /serve -p \d+/ }));
  });

  it('raises no alarm for a port of our own server', async () => {
    const { port, hostname } = new URL((await openServer({ replies: [] })).url);
    const found = await checkPort(hostname, Number(port));
    expect(found).toEqual({ area: 'port', state: 'ok', text: `${port} is used by HoloDeck, which serves helper` });
  });
});

describe('a data folder of an older version', () => {
  /** A folder as the version before left it: tables, and the lock file of a process that died. */
  function oldFolder(): string {
    const folder = temporaryFolder();
    openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS.slice(0, -1) }).close();
    mkdirSync(join(folder, 'runners'));
    writeFileSync(join(folder, 'runners', '01JCDEAD'), '');
    return folder;
  }

  const readAll = (folder: string) =>
    globSync('**', { cwd: folder })
      .toSorted()
      .map((name) => {
        const path = join(folder, name);
        return [name, statSync(path).isDirectory() ? 'folder' : hash('sha256', readFileSync(path))];
      });

  it('stays as it is, byte for byte, and is said to be migrated by the next start', async () => {
    const folder = oldFolder();
    const before = readAll(folder);
    const found = await checkDatabase({ database: undefined, folder });
    const status = await openSqliteAdmin(folder).status();
    expect(readAll(folder)).toEqual(before);
    expect(status).toMatchObject({ version: MIGRATIONS.length - 1, newest: MIGRATIONS.length, runners: 0 });
    expect(found).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(
        `version ${MIGRATIONS.length - 1}; the next start brings it to ${MIGRATIONS.length}, 0 conversations`,
      ),
    });
  });

  it('is read while a process uses it, and that process is counted', async () => {
    const folder = temporaryFolder();
    const store = createSqliteStore({ folder, now: () => new Date(), ids: systemIds });
    onTestFinished(() => store.close());
    expect(await openSqliteAdmin(folder).status()).toMatchObject({ runners: 1 });
    const { text } = await checkDatabase({ database: undefined, folder });
    expect(text).toMatch(/, 0 conversations, 1 running process$/);
  });
});

const OF_MODELS: readonly [string, string, LocalServer[], RegExp][] = [
  [
    'a server that does not run',
    'model: { provider: ollama, name: qwen3:4b }',
    [],
    /`ollama serve`; or go back to the built-in model: remove `model` from the file$/,
  ],
  ['a server without models', 'model: { provider: ollama, name: qwen3:4b }', [EMPTY], /^ollama pull qwen3:4b;/],
  ['another server that does not run', 'model: { provider: lmstudio, name: x }', [OLLAMA], /lms server start/],
  ['a model that is not there', 'model: { provider: ollama, name: mistral }', [OLLAMA], /ollama pull mistral/],
  ['a model without tools', `model: { provider: ollama, name: gemma:2b }\n${TOOLS}`, [OLLAMA], /qwen3 or llama3.1/],
  [
    'a model with a small window',
    'model: { provider: ollama, name: tiny:1b }',
    [OLLAMA],
    /^Choose a model with a larger window/,
  ],
  [
    'a limit that is too small',
    'model: { provider: ollama, name: qwen3:4b }\nlimits: { context_tokens: 1000 }',
    [OLLAMA],
    /^Raise limits.context_tokens$/,
  ],
  [
    'a small window at the address that `use` wrote',
    'model: { provider: ollama, name: tiny:1b, endpoint: "http://127.0.0.1:21434/" }',
    [{ ...OLLAMA, endpoint: 'http://127.0.0.1:21434' }],
    /^Choose a model with a larger window/,
  ],
];

describe('holodeck doctor on a model', () => {
  it.each(OF_MODELS)('finds %s', async (_, lines, servers, remedy) => {
    const agent = await loadAgent(await writeAgent(lines), { env: {} });
    const faults = (await checkModels(agent, true, servers)).filter(({ state }) => state !== 'ok');
    expect(faults).toMatchObject([like({ remedy })]);
  });

  it.each([
    ['model', 'ollama', [OLLAMA], /`ollama serve`, or correct model\.endpoint$/],
    ['model', 'openai_compatible', [], /^Start its server, or correct model\.endpoint$/],
    ['fallback', 'lmstudio', [], /`lms server start`, or correct model\.fallback\.endpoint$/],
  ])(
    'finds an address of a %s of %s on this machine at which nothing listens',
    async (place, provider, servers, remedy) => {
      const endpoint = `http://127.0.0.1:${await freePort()}/v1`;
      const silent = `{ provider: ${provider}, name: x, endpoint: "${endpoint}" }`;
      const lines = `model: ${place === 'model' ? silent : `{ provider: builtin, fallback: ${silent} }`}`;
      const agent = await loadAgent(await writeAgent(lines), { env: {} });
      const faults = (await checkModels(agent, true, servers)).filter(({ state }) => state !== 'ok');
      const text = `Nothing answers at ${new URL(endpoint).host}`;
      expect(faults).toEqual([{ area: 'model', state: 'problem', text, remedy: expect.stringMatching(remedy) }]);
    },
  );
});

const EMBEDDING = (parts: string) => `knowledge: { docs: { source: ., embedding: { ${parts}, name: x } } }`;
const OF_AGENTS: readonly [string, string | undefined, string, RegExp][] = [
  ['a missing key', 'model: { provider: openai, name: g }', 'agent', /^export OPENAI_API_KEY/],
  [
    'a missing key of the fallback',
    'model: { provider: builtin, fallback: { provider: openrouter, name: g } }',
    'agent',
    /^export OPENROUTER_API_KEY/,
  ],
  ['no file', undefined, 'agent', /init my-agent/],
  ['an unknown key', 'colour: x', 'agent', /^Change colour in \S+agent\.yaml:3$/],
  ['an unknown key that is like a known one', 'instuctions: x', 'agent', /^Write instructions$/],
  ['broken YAML', 'tools: [', 'agent', /^add \], indented further than its key$/],
  ['a wrong value', 'limits: { message_chars: many }', 'agent', /^Change limits\.message_chars in \S+agent\.yaml:3$/],
  ['a wrong value that is like a right one', 'model: { provider: builtn }', 'agent', /^Write builtin$/],
  [
    'a variable that is not set',
    'model: { provider: google, name: g, api_key: "$' + '{NO_SUCH_KEY_HERE}" }',
    'agent',
    /^Put it in \.env next to the agent's file, or export it$/,
  ],
  [
    'a program that is not installed',
    'tools: [{ name: x, type: mcp, transport: stdio, command: no-such-program }]',
    'agent',
    /^install it or correct the name; .*check \S+agent\.yaml checks it again$/,
  ],
  [
    'a file of functions that is missing',
    'tools: [{ name: x, type: function, file: none.ts, function: x, description: d }]',
    'agent',
    /^create it or correct its path$/,
  ],
  [
    'a server that ends at once',
    `tools: [{ name: x, type: mcp, transport: stdio, command: "${process.execPath}", args: ["-e", "process.exit(1)"] }]`,
    'tools',
    /^Start its server, or change tools\.x in .* check --start/,
  ],
  [
    'an address at which nothing listens',
    'tools: [{ name: x, type: mcp, transport: http, url: "http://127.0.0.1:1/mcp" }]',
    'tools',
    /^Start its server, or change tools\.x in/,
  ],
  [
    'documents that are not there',
    'knowledge: { docs: { source: ./none } }',
    'agent',
    /^Change knowledge\.docs\.source in .*:3; /,
  ],
  [
    'documents outside of the folder',
    'knowledge: { docs: { source: [., ../] } }',
    'agent',
    /^Change knowledge\.docs\.source\[1\] in .*:3; /,
  ],
  ['a folder without documents', 'knowledge: { docs: { source: "*.pdf" } }', 'knowledge', /put documents there/],
  ['a missing key for vectors', EMBEDDING('provider: openai'), 'knowledge', /Set OPENAI_API_KEY/],
  [
    'a server of vectors that does not run',
    EMBEDDING('provider: ollama, endpoint: "http://127.0.0.1:1"'),
    'knowledge',
    /`ollama serve`/,
  ],
];

describe('holodeck doctor on an agent', () => {
  it.each(OF_AGENTS)('finds %s', async (_, lines, area, remedy) => {
    const file = lines === undefined ? join(await temporaryFolder(), 'none.yaml') : await writeAgent(lines);
    const faults = (await examine(file, {})).filter((found) => found.state !== 'ok' && found.area !== 'port');
    expect(faults[0]).toMatchObject(like({ area, remedy }));
  });

  it.each([
    [
      'model: { provider: ollama, name: x }\nserver: { auth: { jwt: { issuer: a } } }',
      'audience: is missing',
      'give a string',
    ],
    ['tools: [', 'this [ is never closed', 'add ], indented further than its key'],
    [
      'tools: [{ name: x, type: function, file: none.ts, function: x, description: d }]',
      'tools[0].file',
      'create it or',
    ],
  ])('repeats no remedy in the text: %s', async (lines, text, remedy) => {
    const found = (await examine(await writeAgent(lines), {})).find((one) => one.text.includes(text));
    expect(found?.remedy).toContain(remedy);
    expect(found?.text).not.toContain(remedy);
    expect(found?.text).not.toMatch(/[;.]\s*$/);
  });

  it('has a remedy for 25 faults at least', () => {
    expect(OF_MACHINE.length + OF_MODELS.length + OF_AGENTS.length).toBeGreaterThanOrEqual(25);
  });

  it('says which documents have changed since they were read', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'agent.yaml');
    writeFileSync(file, 'name: helper\ninstructions: Help.\nknowledge: { docs: { source: ./texts } }');
    mkdirSync(join(folder, 'texts'));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'texts', `${name}.md`), 'Text.');
    const textOf = async () => (await examine(file, {})).find(({ area }) => area === 'knowledge')?.text;
    expect(await textOf()).toBe('docs: 3 documents, read by the first start');
    await runBuild(file, {});
    expect(await textOf()).toMatch(/^docs: 3 documents, read \S+Z$/);
    rmSync(join(folder, 'texts/a.md'));
    writeFileSync(join(folder, 'texts/d.md'), 'Text.');
    expect(await textOf()).toMatch(/, 2 changed since: the next start reads them$/);
  });

  it('looks at the data beside a file that is broken', async () => {
    const file = await writeAgent('tools: [');
    const found = await examine(file, {});
    expect(found.find(({ area }) => area === 'data')?.text).toBe(join(dirname(file), '.holodeck'));
  });

  it('finds an old schema beside the agent', async () => {
    const file = await writeAgent('');
    writeFileSync(join(file, '..', 'agent.schema.json'), '{}');
    expect((await examine(file, {})).find(({ area }) => area === 'schema')).toMatchObject(
      like({ state: 'warning', remedy: /schema > / }),
    );
  });

  it.each([
    '',
    TOOLS,
    `tools: [{ name: x, type: mcp, transport: stdio, command: "${process.execPath}", args: ["${SERVER}", crash] }]`,
    'model: { provider: builtin, fallback: { provider: openai_compatible, name: g, endpoint: "https://example.com/v1" } }',
    'tools: [{ name: mail, type: mcp, transport: http, url: "http://127.0.0.1:1/mcp", auth: oauth }]',
    'knowledge: { docs: { source: . } }',
  ])('finds nothing on a healthy set-up %#', async (lines) => {
    const found = await examine(await writeAgent(`${lines}\nserver: { port: ${await freePort()} }`), {});
    expect(found.filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  it.each([
    ['a model of Ollama', 'qwen3:4b', [{ name: 'gemma:2b', capabilities: ['completion'] }, { name: 'qwen3:4b' }]],
    ['a model without its tag', 'qwen3', [{ name: 'qwen3:latest' }]],
    ['a model of an Ollama that reports no capabilities', 'qwen3:4b', [{ name: 'qwen3:4b', capabilities: null }]],
  ])('finds nothing on a healthy set-up with %s and a running server', async (_, name, models) => {
    await using ollama = await startOllama({ models });
    vi.stubEnv('OLLAMA_HOST', new URL(ollama.url).host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { port } = await openServer({ replies: [] });
    const model = `model: { provider: ollama, name: "${name}", endpoint: "${ollama.url}" }`;
    const found = await examine(await writeAgent(`${model}\n${TOOLS}\nserver: { port: ${port} }`), {});
    expect(found.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(found).toContainEqual({ area: 'model', state: 'ok', text: `ollama ${name}, no key needed` });
    expect(found.find(({ area }) => area === 'port')?.text).toMatch(/is used by HoloDeck, which serves helper$/);
    expect(ollama.chats).toEqual([]);
  });

  it.each(['todo', 'retail', 'handbook', 'support'])('finds nothing wrong with the shipped %s agent', async (name) => {
    const found = await examine(`agents/${name}/agent.yaml`, { data: temporaryFolder() });
    expect(found.filter(({ state, area }) => state !== 'ok' && area !== 'port')).toEqual([]);
  });
});

/** Matches a finding by its parts; texts by a pattern. */
function like({ remedy, ...rest }: { remedy: RegExp; state?: string; area?: string }) {
  return { ...rest, remedy: expect.stringMatching(remedy) };
}
