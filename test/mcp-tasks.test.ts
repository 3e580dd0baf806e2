import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERROR_META } from '../src/schema/fronts/mcp.ts';
import { newUlid } from '../src/schema/new-ulid.ts';
import { COMMAND } from './command.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const TODO = join(ROOT, 'agents', 'todo', 'agent.yaml');
const BOB = '22222222-2222-4222-8222-222222222222';

/** The SDK's own client, which checks structured content against `outputSchema` after it has listed the tools. */
async function openClient(args: string[], mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const command = { command: process.execPath, args: [COMMAND, 'mcp', 'tasks', ...args], stderr: 'inherit' as const };
  await client.connect(new StdioClientTransport(command));
  onTestFinished(() => client.close());
  return client;
}

describe.each(['legacy', 'auto'] as const)('holodeck mcp tasks for a client of the %s era', (mode) => {
  it('with --user local needs no user_id, and works on the list of the terminal', async () => {
    const data = temporaryFolder();
    const client = await openClient(['--user', 'local', '--data', data], mode);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(6);
    expect(JSON.stringify(tools)).not.toContain('user_id');
    expect(tools.every((tool) => tool.outputSchema !== undefined)).toBe(true);
    const added = await client.callTool({ name: 'add_task', arguments: { title: 'buy milk' } });
    expect(added.structuredContent).toMatchObject({ title: 'buy milk', is_completed: false });
    expect(added.structuredContent).not.toHaveProperty('user_id');
    const listed = await client.callTool({ name: 'list_tasks', arguments: {} });
    const tasks = [added.structuredContent];
    expect(listed.structuredContent).toEqual(mode === 'legacy' ? { result: tasks } : tasks);
    const args = [COMMAND, '--data', data];
    const chat = spawnSync(process.execPath, args, { input: 'what do I need to do?\n', encoding: 'utf8' });
    expect(chat.stdout).toBe('You have 1 open task:\n1. buy milk\n');
    const { id } = added.structuredContent as { id: string }; // the tool's own schema
    const deleted = await client.callTool({ name: 'delete_task', arguments: { task_id: id } });
    expect(deleted.structuredContent).toEqual(mode === 'legacy' ? { result: null } : null);
    const undone = await client.callTool({ name: 'undo_change', arguments: {} });
    const restored = [{ change: 'brought_back', task: added.structuredContent }];
    expect(undone.structuredContent).toEqual({ batch: expect.any(String), restored });
    const again = await client.callTool({ name: 'list_tasks', arguments: {} });
    expect(again.structuredContent).toEqual(listed.structuredContent);
  });

  it('with --user refuses a user_id in a call', async () => {
    const client = await openClient(['--user', BOB, '--data', temporaryFolder()], mode);
    await client.listTools();
    const refused = await client.callTool({ name: 'list_tasks', arguments: { user_id: BOB } });
    expect(refused).toMatchObject({ isError: true, _meta: { [ERROR_META]: { error_type: 'ValidationError' } } });
  });

  it('without --user asks for user_id in every call', async () => {
    const client = await openClient(['--data', temporaryFolder()], mode);
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) expect(inputSchema.required).toContain('user_id');
    const added = await client.callTool({ name: 'add_task', arguments: { user_id: BOB, title: 'buy milk' } });
    expect(added.structuredContent).toMatchObject({ user_id: BOB });
  });

  it('claims that a repeated call changes nothing more, but not for add_task and undo_change', async () => {
    const client = await openClient(['--user', 'local', '--data', temporaryFolder()], mode);
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.idempotentHint]);
    expect(hints).toEqual([
      ['add_task', false],
      ['list_tasks', true],
      ['complete_task', true],
      ['update_task', true],
      ['delete_task', true],
      ['undo_change', false],
    ]);
  });
});

it.each<[string, string, string[], object, string]>([
  ['tasks', 'complete_task', ['--user', 'local'], { task_id: newUlid() }, 'task_id'],
  ['tasks', 'undo_change', ['--user', 'local'], {}, 'There is no change to undo.'],
  [
    'agent',
    'ask_todo-assistant',
    [TODO],
    { message: 'hello', session_id: newUlid() },
    'There is no such conversation.',
  ],
])('holodeck mcp %s: a client of SDK 1.x shows why %s failed', async (kind, name, given, args, sentence) => {
  const client = new FirstClient({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const command = [COMMAND, 'mcp', kind, ...given, '--data', temporaryFolder()];
  await client.connect(new FirstTransport({ command: process.execPath, args: command, stderr: 'inherit' }));
  await client.listTools();
  const result = await client.callTool({ name, arguments: { ...args } });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(sentence) }] });
});

it('docs/guides/mcp.md has lines for three programs that work as they are', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'guides', 'mcp.md'), 'utf8');
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text));
  const servers = blocks.map((block) => (block.mcpServers ?? block.servers)['holodeck-tasks']);
  expect(servers.map(({ command }) => command)).toEqual(['holodeck', 'holodeck', 'holodeck']);
  const [first, ...others] = servers.map(({ args }) => args);
  expect(others).toEqual([first, first]);
  const client = await openClient([...first.slice(2), '--data', temporaryFolder()], 'legacy');
  expect((await client.listTools()).tools).toHaveLength(6);
});

describe('mcp agent', () => {
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
});
