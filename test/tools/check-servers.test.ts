import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SERVERS } from '../fixtures/mcp-servers/open.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer } from '../server/server.ts';
import { startProgram, writeAgent } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');
const SPACE = '01f09cdbacf01b5fa7ff7c237365502c';

/** An agent over the pair of tools of a Genie space, served by a program. */
function writeGenie(names = [`query_space_${SPACE}`, `poll_response_${SPACE}`]): string {
  const args = [join(SERVERS, 'servers.mjs'), 'genie', SPACE];
  const server = { name: 'genie', type: 'mcp', transport: 'stdio', command: process.execPath, args };
  const domain = { name: 'customers', display_name: 'Customers', description: 'Customers', mcp_tools: names };
  return writeAgent({ tools: [server], domains: [domain] });
}

async function check(folder: string, ...args: string[]) {
  const { ended, stdout, stderr } = startProgram(folder, ['check', ...args]);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

describe('holodeck check', () => {
  const shipped = globSync(['agents/*/agent.yaml', 'examples/*/*.yaml'], { cwd: ROOT });
  it.each(shipped.filter((file) => !file.endsWith('space.yaml')))('finds %s good', async (file) => {
    vi.stubEnv('LEDGER', 'ledger.txt'); // examples/kill names it in its file
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await check(ROOT, file)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file} is valid`) });
  });

  it('finds the file that init writes good', async () => {
    const folder = temporaryFolder();
    await startProgram(folder, ['init', 'mine'], '').ended;
    expect(await check(join(folder, 'mine'), 'agent.yaml')).toMatchObject({ code: 0, stderr: '' });
  });

  it('starts no program of the file, and says what it could not check', async () => {
    const folder = writeGenie(['query_space_x']);
    const { code, stdout, stderr } = await check(folder, 'agent.yaml');
    expect([code, existsSync(join(folder, 'started'))]).toEqual([0, false]);
    expect(stdout).toContain('agent.yaml is valid: helper');
    expect(stderr).toBe('hint: the tools of genie were not checked; `check --start` starts its server and looks.\n');
  });

  it('starts the programs with --start, says so first, and knows both tools of a pair', async () => {
    const folder = writeGenie();
    const { code, stdout, stderr } = await check(folder, 'agent.yaml', '--start');
    expect([code, existsSync(join(folder, 'started'))]).toEqual([0, true]);
    expect(stdout).toContain('agent.yaml is valid: helper');
    expect(stderr).toBe(`starting genie: ${process.execPath}\n`);
  });

  it('reads the cards of members on other servers with --start, and asks for nothing without it', async () => {
    const { url, lines } = await openServer({ replies: () => 'Hi.' });
    const freight = { a2a: `${url}/.well-known/agent-card.json`, description: 'Ships goods' };
    const agents = { freight, gone: { a2a: `${url}/gone`, description: 'Is away' } };
    const folder = writeAgent({ agents, sub_agents: ['freight', 'gone'] });
    const unread = await check(folder, 'agent.yaml');
    expect([unread.code, lines]).toEqual([0, []]);
    const { code, stdout, stderr } = await check(folder, 'agent.yaml', '--start');
    expect([code, stdout]).toEqual([0, expect.stringContaining('but gone did not start: helper')]);
    expect(stdout).toContain('tools none, agents freight, gone');
    expect(stderr).toBe(
      `reading the card of freight: ${url}\nreading the card of gone: ${url}\nwarning: agents.gone: gone answered with HTTP 401; its headers are the login\n`,
    );
  });

  it('refuses the name of a tool that a started server does not have', async () => {
    const { code, stderr } = await check(writeGenie([`query_space_${SPACE}x`]), 'agent.yaml', '--start');
    expect(code).toBe(1);
    expect(stderr).toContain('domains[0].mcp_tools[0]: no tool has this name');
  });
});
