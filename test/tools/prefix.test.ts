import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userFromId } from '../../src/identity/user.ts';
import { ALICE } from '../build.ts';
import { SERVERS } from '../fixtures/mcp-servers/open.ts';
import { freePort } from '../free-port.ts';
import { collect, openRuntime } from '../runtime.ts';
import { startProgram, writeAgent } from './program.ts';

const shop = (name: string, more: object = {}) => ({
  name,
  type: 'mcp',
  transport: 'stdio',
  command: process.execPath,
  args: [`${SERVERS}/servers.mjs`, 'shop', name],
  ...more,
});
const signal = () => AbortSignal.timeout(30_000);

describe('prefix on a tools entry', () => {
  it('keeps the tools of two servers apart, and calls each by its own name', async () => {
    const tools = [shop('north'), shop('south', { prefix: 'south_' })];
    const calls = [
      { name: 'search', arguments: { item: 'lamp' } },
      { name: 'south_search', arguments: { item: 'lamp' } },
    ];
    const { runtime } = await openRuntime({ replies: [{ calls }, 'Done.'], tools: [], agent: { tools } });
    const { offered, refusals } = await runtime.listTools(ALICE, 'helper', { signal: signal() });
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'where is a lamp?' }));
    const end = events.find((event) => event.type === 'turn-end');
    const results = end?.result.tool_calls.map((call) => call.result);
    expect([[...offered.keys()], refusals]).toEqual([['search', 'status', 'south_search', 'south_status'], []]);
    expect(results).toEqual(['north search {"item":"lamp"}', 'south search {"item":"lamp"}']);
    expect(runtime.describe('helper').sources[1]?.tools.map((tool) => tool.name)).toEqual([
      'south_search',
      'south_status',
    ]);
  });

  it("leaves allow, approve, idempotent, bind and unbound to the server's own names", async () => {
    const lists = { approve: ['search'], idempotent: ['status'], bind: { user_id: '$user.id' }, unbound: ['status'] };
    const tools = [shop('south', { prefix: 's_', allow: ['search', 'status'], ...lists })];
    const { runtime } = await openRuntime({ replies: [], tools: [], agent: { tools } });
    const { offered } = await runtime.listTools(ALICE, 'helper', { signal: signal() });
    const facts = [...offered.values()].map(({ tool, definition }) => ({
      name: definition.name,
      asks: tool.needsApproval,
      repeats: tool.idempotent,
      takes: Object.keys(definition.inputSchema.properties ?? {}),
    }));
    expect(facts).toEqual([
      { name: 's_search', asks: true, repeats: false, takes: ['item'] },
      { name: 's_status', asks: false, repeats: true, takes: [] },
    ]);
  });

  it('names the tasks that ship as it names those of others', async () => {
    const tools = [
      {
        name: 'mine',
        type: 'mcp',
        transport: 'builtin',
        server: 'tasks',
        bind: { user_id: '$user.id' },
        prefix: 'my_',
      },
    ];
    const replies = [{ calls: [{ name: 'my_add_task', arguments: { title: 'milk' } }] }, 'Added.'];
    const { runtime } = await openRuntime({ replies, tools: [], agent: { tools } });
    const user = userFromId('33333333-3333-4333-8333-333333333333');
    const events = await collect(await runtime.chat(user, { agent: 'helper', message: 'add milk' }));
    const call = events.find((event) => event.type === 'tool-call-end')?.call;
    expect([call?.state, call?.sent_arguments]).toEqual(['completed', { title: 'milk', user_id: user.id }]);
  });
});

const CLASH =
  'tools.south: search is not offered: its name is taken by, or looks like, search of north; set prefix on the tools entry south or north';

function writeShops(prefix = ''): string {
  const entry = (name: string) => ({
    name,
    type: 'mcp',
    transport: 'stdio',
    command: process.execPath,
    args: [join(SERVERS, 'servers.mjs'), 'shop', name],
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
    const tools = [{ ...server, args: [join(SERVERS, 'servers.mjs'), 'shop', 'north'] }];
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
