import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const TODO = join(ROOT, 'agents', 'todo', 'agent.yaml');

async function openClient(data: string, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const args = [COMMAND, 'mcp', 'agent', TODO, '--data', data];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  onTestFinished(() => client.close());
  return client;
}

describe.each(['legacy', 'auto'] as const)('holodeck mcp agent for a client of the %s era', (mode) => {
  it('answers, continues the conversation and shows it, with the tasks of the terminal', async () => {
    const data = temporaryFolder();
    const client = await openClient(data, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_todo-assistant']);
    const ask = async (args: Record<string, string>) => {
      const { structuredContent } = await client.callTool({ name: 'ask_todo-assistant', arguments: args });
      return structuredContent as { session_id: string; content: string }; // the tool's own schema
    };
    const { session_id } = await ask({ message: 'add buy milk' });
    const { content } = await ask({ message: 'what do I need to do?', session_id });
    expect(content).toBe('You have 1 open task:\n1. buy milk');
    const { contents } = await client.readResource({ uri: `holodeck://conversations/${session_id}` });
    expect(contents).toMatchObject([{ text: expect.stringContaining('buy milk') }]);
    const terminal = [COMMAND, '--data', data];
    const chat = spawnSync(process.execPath, terminal, { input: 'what do I need to do?\n', encoding: 'utf8' });
    expect(chat.stdout).toBe('You have 1 open task:\n1. buy milk\n');
  });
});
