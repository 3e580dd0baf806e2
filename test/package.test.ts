import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const README = join(ROOT, 'README.md');
const SCRATCH = mkdtempSync(join(tmpdir(), 'holodeck-package-'));
const CHECKOUT = join(SCRATCH, 'checkout');
const PROJECT = join(SCRATCH, 'project');
const COMMAND = join(PROJECT, 'node_modules', '.bin', 'holodeck');

/** Files that using a checkout leaves behind. None of them may be published. */
const PRIVATE_FILES = [
  '.env',
  'holodeck.log',
  'bin/.env',
  'bin/notes.txt',
  'agents/.env',
  'agents/mine/agent.yaml',
  'agents/mine/data/customers.csv',
  'agents/todo/.env',
  'agents/todo/.holodeck/account.json',
  'agents/todo/.holodeck/holodeck.db',
  'agents/todo/.holodeck/holodeck.log',
  'agents/todo/.holodeck/lines',
  'agents/todo/data/holodeck.db',
  'agents/retail/.holodeck/holodeck.db',
  'agents/retail/data/holodeck.db',
  'agents/retail/data/.holodeck/old.csv',
  'agents/retail/spaces/debug.log',
  'agents/handbook/.holodeck/knowledge/handbook.handbook.sqlite',
  'agents/handbook/documents/.notes.md.swp',
  'agents/support/.holodeck/holodeck.db',
  'dist/holodeck.db',
  'dist/.holodeck/account.json',
];

/** Every file of the package matches one of these patterns, and each pattern matches a file. */
const PUBLIC_FILES = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^bin\/(holodeck|check-node)\.js$/,
  /^agents\/(todo|retail|handbook|support)\/(agent|tests)\.yaml$/,
  /^agents\/support\/(billing\.yaml|invoices\.js|documents\/[a-z]+\.md)$/,
  /^agents\/retail\/spaces\/(reviews|sales|stock)\.yaml$/,
  /^agents\/retail\/data\/[a-z_]+\.csv$/,
  /^agents\/handbook\/documents\/[a-z-]+\/[a-z0-9-]+\.(md|pdf|docx|xlsx)$/,
  /^dist\/(main|index|schema)\.js$/,
  /^dist\/(checkpoint-worker|function-worker|reader-worker|scan-worker|watchdog|sql-child|convert-child)\.js$/,
  /^dist\/[a-z-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/[a-z-]+(-[A-Z0-9]{8})?\.js\.map$/,
  /^dist\/(LICENSES|[a-z-]+(-[A-Z0-9]{8})?\.js\.LEGAL)\.txt$/,
  /^dist\/web\/(index\.html|assets\/[\w-]+\.(js|css|svg)(\.br|\.gz)?)$/,
  /^dist\/data\/[a-z-]+(\.[a-z0-9]+)+$/,
  /^dist\/ocr\/(tesseract-core-(relaxedsimd-)?lstm\.(cjs|wasm)|eng\.traineddata\.gz)$/,
  /^dist\/types\/(index|clock|errors|ids|log|([a-z-]+\/)+[a-z-]+)\.d\.ts$/,
];

let packed: { filename: string; files: string[] };

beforeAll(() => {
  copyCheckout();
  for (const file of PRIVATE_FILES) plant(join(CHECKOUT, file));
  packed = pack();
  mkdirSync(PROJECT);
  writeFileSync(join(PROJECT, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  runNpm(['install', '--prefer-offline', join(CHECKOUT, packed.filename)], PROJECT);
}, 240_000);

afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

describe('the published package', () => {
  it('holds the command, the library and both agents, and no private file', () => {
    expect(packed.files.filter((file) => !PUBLIC_FILES.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(PUBLIC_FILES.filter((pattern) => !packed.files.some((file) => pattern.test(file)))).toEqual([]);
    expect(packed.files.filter((file) => PRIVATE_FILES.includes(file))).toEqual([]);
  });

  it('installs one package beside itself, because the bundle holds all others', () => {
    const names = readdirSync(join(PROJECT, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names).toEqual(['holodeck', 'zod']);
  });

  it('is accepted by npm beside the types of an older Node, which `create-next-app` chooses', () => {
    const app = join(SCRATCH, 'next-app');
    mkdirSync(app);
    const devDependencies = { '@types/node': '^20' };
    writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, devDependencies }));
    runNpm(['install', '--dry-run', '--prefer-offline', join(CHECKOUT, packed.filename)], app);
  });

  it('is started and installed by the lines of the README', { timeout: 120_000 }, () => {
    const [, lines = ''] = /After publication[^`]*```\n([^`]*)```/.exec(readFileSync(README, 'utf8')) ?? [];
    expect(lines.trim().split('\n')).toEqual(['npx holodeck', 'npm install holodeck']);
    // beforeAll has run the second line with the tarball in place of the name; the first line runs here.
    const tarball = join(CHECKOUT, packed.filename);
    const args = ['--yes', '--prefer-offline', `--package=${tarball}`, 'holodeck'];
    const env = { ...process.env, HOLODECK_DATA: temporaryFolder() };
    const options = { cwd: temporaryFolder(), input: 'remind me to buy milk\n', encoding: 'utf8', env } as const;
    const { stdout, status } = spawnSync('npx', args, options);
    expect({ stdout, status }).toEqual({ stdout: "I've added 'buy milk' to your tasks.\n", status: 0 });
  });

  it('runs one message, with a picture that it reads', { timeout: 120_000 }, () => {
    const picture = join(ROOT, 'test', 'fixtures', 'files', 'note.jpg');
    const message = 'remind me to buy milk';
    const { stdout, stderr, status } = runCommand(['run', shippedAgent('todo'), message, '--file', picture]);
    const verdict = 'note.jpg: read, 1400 × 500 pixels, 82 characters\n';
    expect({ stderr, status }).toEqual({ stderr: verdict, status: 0 });
    expect(stdout).toContain("I've added 'buy milk' to your tasks");
  });

  it('answers from the data that it ships', { timeout: 120_000 }, () => {
    const { stdout, stderr, status } = runCommand([
      'run',
      shippedAgent('retail'),
      'Which location has the most stock?',
    ]);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toMatch(/\d/);
  });

  it('chats over a pipe without an agent file', { timeout: 60_000 }, () => {
    const { stdout, status } = runCommand([], 'remind me to buy milk\nwhat do I need to do?\n');
    expect(status).toBe(0);
    expect(stdout).toBe("I've added 'buy milk' to your tasks.\nYou have 1 open task:\n1. buy milk\n");
  });

  it('takes each of its files from the compile cache at the second start', { timeout: 60_000 }, () => {
    // The command itself turns the cache on: it is in the folder for temporary files.
    const temporary = { TMPDIR: temporaryFolder(), NODE_COMPILE_CACHE: undefined };
    const starts = [1, 2].map(() => {
      const env = { ...process.env, ...temporary, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
      const args = ['--data', temporaryFolder()];
      const { stderr } = spawnSync(COMMAND, args, { cwd: PROJECT, input: 'hello\n', encoding: 'utf8', env });
      const filesOf = (outcome: string) =>
        [...stderr.matchAll(new RegExp(`for \\w+ (?:file://)?(\\S+/dist/\\S+) was ${outcome}`, 'g'))].map(
          ([, file]) => file,
        );
      return { accepted: new Set(filesOf('accepted')), compiled: new Set(filesOf('not initialized')) };
    });
    const [first, second] = starts;
    expect(first?.accepted).toEqual(new Set());
    expect(first?.compiled.size).toBeGreaterThan(0);
    expect(second).toEqual({ accepted: first?.compiled, compiled: new Set() });
  });

  it('serves over HTTP', { timeout: 60_000 }, async () => {
    const port = await freePort();
    const args = ['serve', '-p', String(port), '--data', temporaryFolder()];
    const child = spawn(COMMAND, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const address = `http://127.0.0.1:${port}/agent/todo-assistant/chat`;
    const body = JSON.stringify({ message: 'remind me to buy milk' });
    const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await reply.json()).toMatchObject({ content: "I've added 'buy milk' to your tasks." });
    const form = new FormData();
    form.append('message', 'hello');
    form.append('files', new Blob(['some text'], { type: 'text/plain' }), 'note.txt');
    const uploaded = await fetch(address, { method: 'POST', body: form });
    expect(await uploaded.json()).toMatchObject({ files: [{ filename: 'note.txt' }] });
    const docs = await fetch(`http://127.0.0.1:${port}/docs`);
    expect(docs.status).toBe(200);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining('"name":"todo-assistant"')]);
    const script = /src="(\.?\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(new URL(script, page.url), { headers: { 'accept-encoding': 'br' } });
    expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await asset.text()).length).toBeGreaterThan(10_000);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('shows readable frames of an error, and with --enable-source-maps the lines of its sources', () => {
    writeFileSync(join(PROJECT, 'fault.js'), FAULT);
    const framesOf = (...flags: string[]) =>
      spawnSync(process.execPath, [...flags, 'fault.js'], { cwd: PROJECT, encoding: 'utf8' }).stdout.split('\n');
    const names = [/at notFound \(/, /at readFrom \(/, /at async loadAgent \(/];
    expect(framesOf()).toEqual([...names.map((name) => expect.stringMatching(name)), '']);
    const mapped = framesOf('--enable-source-maps');
    const places = names.map((name) => new RegExp(`${name.source}.*/src/config/load-agent\\.ts:\\d+`));
    expect(mapped).toEqual([...places.map((place) => expect.stringMatching(place)), '']);
    const sources = readFileSync(join(ROOT, 'src/config/load-agent.ts'), 'utf8').split('\n');
    const [, line = ''] = /:(\d+):\d+\)$/.exec(mapped[0] ?? '') ?? [];
    expect(sources[Number(line) - 1]).toContain('AppError');
  });

  it('is a library whose types a strict compiler accepts, for Node and for bundlers', { timeout: 120_000 }, () => {
    writeFileSync(join(PROJECT, 'main.ts'), LIBRARY_USE);
    const types = join(PROJECT, 'node_modules', '@types');
    mkdirSync(types);
    symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(types, 'node'));
    const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
    for (const modules of MODULES) {
      const config = { compilerOptions: { ...STRICT, ...modules }, files: ['main.ts'] };
      writeFileSync(join(PROJECT, 'tsconfig.json'), JSON.stringify(config));
      const compiled = spawnSync(compiler, { cwd: PROJECT, encoding: 'utf8' });
      expect(compiled).toMatchObject({ stdout: '', stderr: '', status: 0 });
    }
    const env = { ...process.env, XDG_DATA_HOME: temporaryFolder() };
    const ran = spawnSync(process.execPath, ['main.ts', shippedAgent('todo')], { cwd: PROJECT, encoding: 'utf8', env });
    expect(ran).toMatchObject({ stdout: "I've added 'buy milk' to your tasks.\n", stderr: '', status: 0 });
  });
});

const FAULT = `
import { loadAgent } from 'holodeck';
const { stack } = await loadAgent('nothing.yaml').catch((error) => error);
console.log(stack.split('\\n').slice(1, 4).join('\\n'));
`;

const STRICT = {
  target: 'es2024',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};
const MODULES = [{ module: 'nodenext' }, { module: 'preserve', moduleResolution: 'bundler', lib: ['es2024', 'dom'] }];

/** Uses values and types of both entry points. The last line must not compile: types that are `any` would accept it. */
const LIBRARY_USE = `
import type { IncomingMessage } from 'node:http';
import { type Agent, type CodeTool, createHandler, createRuntime, defineAgent, defineTool } from 'holodeck';
import { type Event, type Handler, loadAgent, runAgent, type User, userFromId } from 'holodeck';
import { AgentFile, Message } from 'holodeck/schema';
import * as z from 'zod';

const agent: Agent = await loadAgent(process.argv[2] ?? '');
const user: User = userFromId('123e4567-e89b-12d3-a456-426614174000');
const tools: CodeTool[] = [
  defineTool({
    name: 'price',
    description: 'The price of a product',
    parameters: z.object({ product: z.string() }),
    // @ts-expect-error The schema has no key of this name.
    run: ({ product, nothing }) => product.length,
  }),
];
let text = '';
for await (const event of runAgent({ agent, user, message: 'remind me to buy milk', tools })) {
  const seen: Event = event;
  if (seen.type === 'text-delta') text += seen.text;
}
console.log(text);
if (AgentFile.safeParse({ name: 7 }).success || Message.safeParse({}).success) throw new Error('accepted');
// @ts-expect-error A message is a text.
void (() => runAgent({ agent, user, message: 7 }));
void (async () => {
  const shop = await defineAgent({ name: 'shop', instructions: 'Sell.', tools, loop: { max_iterations: 3 } });
  const runtime = await createRuntime({ agents: [shop], folder: '.holodeck' });
  const web: Handler = createHandler(runtime, { user: (request: Request) => request.headers.get('x-user') ?? undefined });
  const answer: Response = await web(new Request('http://localhost'));
  const user = ({ headers }: IncomingMessage) => ({ id: headers.host ?? '', groups: [String(answer.status)] });
  createHandler(runtime, { user, basePath: '/api' }).close();
  // @ts-expect-error An id is a text.
  createHandler(runtime, { user: () => 42 });
  // @ts-expect-error An agent has instructions.
  await defineAgent({ name: 'shop' });
});
`;

/** A checkout that can be filled with files and built, separate from the one that the tests run in. */
function copyCheckout(): void {
  const left = new Set(['node_modules', 'dist', '.git', '.holodeck', 'coverage']);
  cpSync(ROOT, CHECKOUT, { recursive: true, filter: (path) => path === ROOT || !left.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(CHECKOUT, 'node_modules'));
}

function plant(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'private\n');
}

function pack(): { filename: string; files: string[] } {
  const [made] = JSON.parse(runNpm(['pack', '--json'], CHECKOUT));
  return { filename: made.filename, files: made.files.map(({ path }: { path: string }) => path) };
}

function runNpm(args: string[], cwd: string): string {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  return execFileSync('npm', [...args, ...options], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function shippedAgent(name: string): string {
  return join(PROJECT, 'node_modules', 'holodeck', 'agents', name, 'agent.yaml');
}

function runCommand(args: string[], input = '') {
  const env = { ...process.env, HOLODECK_DATA: temporaryFolder() };
  return spawnSync(COMMAND, args, { cwd: PROJECT, input, encoding: 'utf8', env });
}
