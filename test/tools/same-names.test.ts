import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SERVERS } from '../fixtures/mcp-servers/open.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../runtime.ts';

const HOLODECK = join(import.meta.dirname, '../../bin/holodeck.js');
const CLASH =
  'tools.south: search is not offered: its name is taken by, or looks like, search of north; set prefix on the tools entry south or north';

function writeAgent(prefix = ''): string {
  const folder = temporaryFolder();
  const entry = (name: string) => ({
    name,
    type: 'mcp',
    transport: 'stdio',
    command: process.execPath,
    args: [join(SERVERS, 'shop.mjs'), name],
    allow: ['search'],
  });
  const tools = [entry('north'), { ...entry('south'), ...(prefix && { prefix }) }];
  writeFileSync(join(folder, 'agent.yaml'), JSON.stringify({ name: 'shops', instructions: 'Help.', tools }));
  return folder;
}

/** Starts a command and collects what it prints; it is ended with the test. */
function start(cwd: string, args: string[]): { child: ChildProcess; printed(): string } {
  const child = spawn(process.execPath, [HOLODECK, ...args], { cwd, env: { ...process.env, NO_COLOR: '1' } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more));
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, printed: () => text };
}

const exitCode = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve));

describe('two servers with a tool of the same name', () => {
  it('are refused by check, which names the key that helps', async () => {
    const { child, printed } = start(writeAgent(), ['check', 'agent.yaml']);
    expect(await exitCode(child)).toBe(1);
    expect(printed()).toContain(CLASH);
  });

  it('are good with a prefix on one of them', async () => {
    const { child, printed } = start(writeAgent('south_'), ['check', 'agent.yaml']);
    expect(await exitCode(child)).toBe(0);
    expect(printed()).toContain('agent.yaml is good');
  });

  it('are reported by serve', async () => {
    const { printed } = start(writeAgent(), ['serve', 'agent.yaml', '-p', String(await freePort())]);
    await expect.poll(printed, { timeout: 30_000 }).toContain(CLASH);
  });

  it('are reported by chat', async () => {
    const { printed } = start(writeAgent(), ['chat', 'agent.yaml']);
    await expect.poll(printed, { timeout: 30_000 }).toContain(CLASH);
  });
});
