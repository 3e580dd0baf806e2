import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './command.ts';
import { freePort } from './free-port.ts';
import { isLong } from './long.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT = { timeout: 480_000 };
const STEP_MS = 240_000;
const SOURCES = ['--conditions=holodeck-source'];
const STRICT =
  '--noEmit --strict --module nodenext --target es2024 --allowImportingTsExtensions --skipLibCheck --customConditions holodeck-source'.split(
    ' ',
  );

describe('examples', () => {
  it.each(globSync('examples/*/main.ts', { cwd: ROOT }))('%s holds what it asserts', (file) => {
    const { status, stderr } = spawnSync(process.execPath, [...SOURCES, file], { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

/** Runs an example in a copy with its own packages, which are removed after the test. Returns the copy. */
function runExample(name: string, install?: (place: string) => void): string {
  const folder = temporaryFolder();
  const source = join(ROOT, 'examples', name);
  const left = /node_modules|\.next|\.svelte-kit|\.holodeck/;
  cpSync(source, folder, { recursive: true, filter: (path) => !left.test(path.slice(source.length)) });
  const env = { ...process.env, HOLODECK: COMMAND };
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env, timeout: STEP_MS });
  const installed = run('npm', ['ci', '--prefer-offline', '--no-progress', '--no-audit', '--ignore-scripts']);
  expect(installed.status, installed.stderr).toBe(0);
  install?.(join(folder, 'node_modules/holodeck'));
  const { status, stdout, stderr } = run(process.execPath, ['main.js']);
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('hold') });
  return folder;
}

/** The files of the guide on your own app, by framework, as they stand there. */
function filesOfGuide(): { agents: string; route: string; servers: [name: string, text: string][] } {
  const guide = readFileSync(join(ROOT, 'docs/guides/your-own-app.md'), 'utf8');
  const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const find = (mark: string) => blocks.find((text) => text.includes(mark)) ?? '';
  return {
    agents: find('// agents.ts'),
    route: find("'@/agents'"),
    servers: [
      ['express', find("from 'express'")],
      ['hono', find("from 'hono'")],
      ['fastify', find("from 'fastify'")],
    ],
  };
}

/** Starts a server of the guide, asks it as the guide does, and returns the answer and that of a foreign page. */
async function askServer(folder: string, file: string, port: number): Promise<unknown[]> {
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const site = `http://127.0.0.1:${port}`;
    const ask = (origin: string) =>
      fetch(`${site}/api/agents/agent/shop/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie: 'session=user-42' },
        body: JSON.stringify({ message: 'price product=lamp' }),
      });
    await expect
      .poll(() =>
        ask(site).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const { content } = Object(await (await ask(site)).json());
    return [content, (await ask('https://evil.example')).status];
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

function linkCheckout(place: string): void {
  symlinkSync(ROOT, place, 'dir');
}

/** Next.js follows no link out of its folder. */
function copyBuilt(place: string): void {
  mkdirSync(place);
  for (const part of ['package.json', 'dist']) cpSync(join(ROOT, part), join(place, part), { recursive: true });
}

/** SvelteKit builds everything into the app that is no dependency of it. */
function installBuilt(place: string): void {
  copyBuilt(place);
  const file = join(place, '../../package.json');
  const app = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...app, dependencies: { ...app.dependencies, holodeck: '*' } }));
}

describe('an example with its own packages holds what it asserts', () => {
  it('Express, Hono, Fastify and a queue; the files of the guide run as they stand', TIMEOUT, async () => {
    const folder = runExample('frameworks', linkCheckout);
    const { agents, route, servers } = filesOfGuide();
    writeFileSync(join(folder, 'agents.ts'), agents);
    for (const [name, text] of servers) {
      const port = await freePort();
      writeFileSync(join(folder, `${name}.ts`), text.replace('3000', String(port)));
      expect([name, ...(await askServer(folder, `${name}.ts`, port))]).toEqual([name, 'product: lamp\nprice: 42', 403]);
    }
    if (!isLong) return;
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const types = ['--typeRoots', `node_modules/@types,${join(ROOT, 'node_modules/@types')}`, '--types', 'node'];
    writeFileSync(join(folder, 'next.ts'), route.replace('@/agents', './agents.ts'));
    const args = [...STRICT, ...types, 'next.ts', ...servers.map(([name]) => `${name}.ts`)];
    const { stdout } = spawnSync(compiler, args, { cwd: folder, encoding: 'utf8' });
    // The compiler reads our sources too, here with fewer checks than they need.
    expect(stdout.split('\n').filter((line) => /^(?:agents|next|express|hono|fastify)\.ts/.test(line))).toEqual([]);
  });
  it('React over AG-UI', TIMEOUT, () => runExample('react', linkCheckout));
  it.runIf(isLong)('Next.js with useChat', TIMEOUT, () => runExample('next', copyBuilt));
  it.runIf(isLong)('SvelteKit', TIMEOUT, () => runExample('sveltekit', installBuilt));
  it.runIf(isLong)('CopilotKit in front of the server', TIMEOUT, () => runExample('copilotkit'));
});
