import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './command.ts';
import { isLong } from './long.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT = { timeout: 480_000 };
const STEP_MS = 240_000;
const SOURCES = ['--conditions=holodeck-source'];

describe('examples', () => {
  it.each(globSync('examples/*/main.ts', { cwd: ROOT }))('%s holds what it asserts', (file) => {
    const { status, stderr } = spawnSync(process.execPath, [...SOURCES, file], { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

/** Runs an example in a copy with its own packages, which are removed after the test. */
function runExample(name: string, { install, flags = [] }: { install?(place: string): void; flags?: string[] }) {
  const folder = temporaryFolder();
  const source = join(ROOT, 'examples', name);
  const left = /node_modules|\.next|\.holodeck/;
  cpSync(source, folder, { recursive: true, filter: (path) => !left.test(path.slice(source.length)) });
  const env = { ...process.env, HOLODECK: COMMAND };
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env, timeout: STEP_MS });
  const installed = run('npm', ['ci', '--prefer-offline', '--no-progress', '--no-audit', '--ignore-scripts']);
  expect(installed.status, installed.stderr).toBe(0);
  install?.(join(folder, 'node_modules/holodeck'));
  const { status, stdout, stderr } = run(process.execPath, [...flags, 'main.js']);
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('hold') });
}

function linkCheckout(place: string): void {
  symlinkSync(ROOT, place, 'dir');
}

/** Next.js follows no link out of its folder. */
function copyBuilt(place: string): void {
  mkdirSync(place);
  for (const part of ['package.json', 'dist']) cpSync(join(ROOT, part), join(place, part), { recursive: true });
}

describe('an example with its own packages holds what it asserts', () => {
  it('Express, Hono, Fastify, a route of SvelteKit and a queue', TIMEOUT, () =>
    runExample('frameworks', { install: linkCheckout, flags: SOURCES }),
  );
  it('React over AG-UI', TIMEOUT, () => runExample('react', { install: linkCheckout, flags: SOURCES }));
  it.runIf(isLong)('Next.js with useChat', TIMEOUT, () => runExample('next', { install: copyBuilt }));
  it.runIf(isLong)('CopilotKit in front of the server', TIMEOUT, () => runExample('copilotkit', {}));
});
