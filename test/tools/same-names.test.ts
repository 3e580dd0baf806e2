import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SERVERS } from '../fixtures/mcp-servers/open.ts';
import { freePort } from '../free-port.ts';
import { startProgram, writeAgent } from './program.ts';

const CLASH =
  'tools.south: search is not offered: its name is taken by, or looks like, search of north; set prefix on the tools entry south or north';

function writeShops(prefix = ''): string {
  const entry = (name: string) => ({
    name,
    type: 'mcp',
    transport: 'stdio',
    command: process.execPath,
    args: [join(SERVERS, 'shop.mjs'), name],
    allow: ['search'],
  });
  return writeAgent({ tools: [entry('north'), { ...entry('south'), ...(prefix && { prefix }) }] });
}

describe('two servers with a tool of the same name', () => {
  it('are refused by check, which names the key that helps', async () => {
    const { ended, stderr } = startProgram(writeShops(), ['check', 'agent.yaml', '--start']);
    expect(await ended).toBe(1);
    expect(stderr()).toContain(CLASH);
  });

  it('are good with a prefix on one of them', async () => {
    const { ended, stdout } = startProgram(writeShops('south_'), ['check', 'agent.yaml', '--start']);
    expect(await ended).toBe(0);
    expect(stdout()).toContain('agent.yaml is valid');
  });

  it('have tools that check knows, because it starts them', async () => {
    const server = { name: 'north', type: 'mcp', transport: 'stdio', command: process.execPath };
    const tools = [{ ...server, args: [join(SERVERS, 'shop.mjs'), 'north'] }];
    const folder = writeAgent({ tools, intents: { find: { tool: 'search' } } });
    const { ended, stdout, stderr } = startProgram(folder, ['check', 'agent.yaml', '--start']);
    expect([await ended, stderr()]).toEqual([0, expect.stringMatching(/^starting north: .*\n$/)]);
    expect(stdout()).toContain('agent.yaml is valid');
  });

  it('are reported by serve', async () => {
    const { stderr } = startProgram(writeShops(), ['serve', 'agent.yaml', '-p', String(await freePort())]);
    await expect.poll(stderr).toContain(CLASH);
  });

  it('are reported by chat', async () => {
    const { stderr } = startProgram(writeShops(), ['chat', 'agent.yaml']);
    await expect.poll(stderr).toContain(CLASH);
  });
});
