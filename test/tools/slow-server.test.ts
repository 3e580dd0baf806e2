import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../src/log.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { ChatTurn } from '../../src/runtime/turn/turn.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { ALICE, buildAgent } from '../build.ts';
import { openScript, SERVERS } from '../fixtures/mcp-servers/open.ts';
import { freePort } from '../free-port.ts';
import { openRuntime, temporaryFolder } from '../runtime.ts';
import { startProgram, writeAgent } from './program.ts';

/** An entry whose server starts when its gate opens. */
function buildSlow(what: 'start' | 'die' = 'start', more: object = {}) {
  const gate = join(temporaryFolder(), 'gate');
  const args = [join(SERVERS, 'servers.mjs'), 'slow', gate, what];
  const entry = { name: 'depot', type: 'mcp', transport: 'stdio', command: process.execPath, args, ...more };
  return { entry, open: () => writeFileSync(gate, ''), isOpen: () => existsSync(gate) };
}

/** Returns all events; `onWait` is called when the turn begins to wait for tools. */
async function play(turn: ChatTurn, onWait = () => {}): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of turn.events) {
    events.push(event);
    if (event.type === 'tool-call-run' && event.tool === 'wait_for_tools') onWait();
  }
  return events;
}

/** An agent with tasks, the given server and the built-in model. */
async function openBuiltin(entry: object): Promise<(message: string) => Promise<ChatTurn>> {
  const tasks = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
  const runtime = await createRuntime({ agents: [buildAgent({ tools: [tasks, entry] })], folder: temporaryFolder() });
  onTestFinished(() => runtime.stop());
  return (message) => runtime.chat(ALICE, { agent: 'helper', message });
}

const resultOf = (events: Event[]) => events.flatMap((event) => (event.type === 'turn-end' ? [event.result] : []))[0];
const callsOf = (events: Event[]) =>
  resultOf(events)?.tool_calls.map(({ name, state, result }) => [name, state, result]);

describe('a server that is still starting', () => {
  it('is not waited for by an answer that needs none of its tools', async () => {
    const slow = buildSlow();
    const { runtime, model } = await openRuntime({ replies: ['Hello.'], agent: { tools: [slow.entry] } });
    const events = await play(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    expect([resultOf(events)?.content, slow.isOpen()]).toEqual(['Hello.', false]);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['wait_for_tools', 'echo']);
    expect(events.find((event) => event.type === 'notice')?.text).toBe(
      'The tools of depot are not available yet: it is still starting.',
    );
  });

  it('is waited for by a turn that needs its tools, which obey bind and unbound', async () => {
    const slow = buildSlow('start', { bind: { user_id: '$user.id' }, prefix: 'depot_' });
    const replies = [
      { calls: [{ name: 'wait_for_tools' }] },
      { calls: [{ name: 'depot_search_warehouse', arguments: { item: 'lamp', user_id: 'someone else' } }] },
      'It is there.',
    ];
    const { runtime, model } = await openRuntime({ replies, tools: [], agent: { tools: [slow.entry] } });
    const events = await play(await runtime.chat(ALICE, { agent: 'helper', message: 'is there a lamp?' }), slow.open);
    expect(callsOf(events)).toEqual([
      ['wait_for_tools', 'completed', { tools: ['depot_search_warehouse'] }],
      ['depot_search_warehouse', 'completed', `search_warehouse {"item":"lamp","user_id":"${ALICE.id}"}`],
    ]);
    const [tool, ...others] = model.requests[1]?.tools ?? [];
    expect([Object.keys(tool?.inputSchema.properties ?? {}), others]).toEqual([['item'], []]);
  });

  it('that fails after all is reported to the waiting model', async () => {
    const slow = buildSlow('die');
    const replies = [{ calls: [{ name: 'wait_for_tools' }] }, 'I cannot look there now.'];
    const { runtime, model } = await openRuntime({ replies, tools: [], agent: { tools: [slow.entry] } });
    const events = await play(await runtime.chat(ALICE, { agent: 'helper', message: 'is there a lamp?' }), slow.open);
    const note = expect.stringContaining('The tools of depot are not available now: depot is not reachable');
    expect(callsOf(events)).toEqual([['wait_for_tools', 'completed', { tools: [], notes: [note] }]]);
    expect(model.requests[1]?.tools).toEqual([]);
  });

  it('does not hold up the built-in model when another tool, or none, is needed', async () => {
    const slow = buildSlow();
    const ask = await openBuiltin(slow.entry);
    const hello = callsOf(await play(await ask('hello')));
    const milk = callsOf(await play(await ask('remind me to buy milk')))?.map(([name]) => name);
    expect([hello, milk, slow.isOpen()]).toEqual([[], ['add_task'], false]);
  });

  it('is waited for by the built-in model when no tool that is there fits', async () => {
    const slow = buildSlow('start', { bind: { user_id: '$user.id' } });
    const ask = await openBuiltin(slow.entry);
    const search = await play(await ask('search the warehouse for a lamp'), slow.open);
    expect(callsOf(search)?.map(([name, state]) => [name, state])).toEqual([
      ['wait_for_tools', 'completed'],
      ['search_warehouse', 'completed'],
    ]);
    const next = await play(await ask('search the warehouse for a chair'));
    expect(callsOf(next)?.map(([name]) => name)).toEqual(['search_warehouse']);
  });
});

const LAST = '  | npm error network request to https://registry.example.com failed with [redacted]';
const REASON = 'tools.files: the server ended with code 1';

function writeFiles(): string {
  const args = [join(SERVERS, 'servers.mjs'), 'broken'];
  const env = { SHOP_KEY: `\${SHOP_KEY}` };
  const files = { name: 'files', type: 'mcp', transport: 'stdio', command: process.execPath, args, env };
  return writeAgent({ tools: [files] }, { '.env': 'SHOP_KEY=hunter22\n' });
}

/** Checks the report: the reason, and the end of the server's output. */
function expectReport(text: string): void {
  expect(text).toContain(REASON);
  expect(text).toContain(`  | step 20\n${LAST}\n`);
  expect(text).not.toMatch(/step 10\b|hunter22/);
}

describe('a server that does not start', () => {
  it('has its last lines shown by check', async () => {
    const { ended, stderr } = startProgram(writeFiles(), ['check', 'agent.yaml', '--start']);
    await ended;
    expectReport(stderr());
  });

  it('has them shown by run, with the path of the log', async () => {
    const folder = writeFiles();
    const { ended, stderr } = startProgram(folder, ['run', 'agent.yaml', 'list the files in my folder'], '');
    await ended;
    expectReport(stderr());
    expect(stderr()).toContain(`${REASON} (log: ${join(folder, '.holodeck/holodeck.log')})`);
  });

  it('has them shown once by chat', async () => {
    const { ended, stderr } = startProgram(writeFiles(), ['chat', 'agent.yaml'], 'hello\nhello again\n');
    await ended;
    expectReport(stderr());
    expect(stderr().split(REASON)).toHaveLength(2);
  });

  it('has them shown where serve runs, and not over HTTP', async () => {
    const port = await freePort();
    const { stdout, stderr } = startProgram(writeFiles(), ['serve', 'agent.yaml', '-p', String(port)]);
    await expect.poll(stdout).toContain('HoloDeck serves');
    const base = `http://127.0.0.1:${port}/agent/helper`;
    const headers = { 'content-type': 'application/json' };
    const answers = [
      await (await fetch(`${base}/chat`, { method: 'POST', headers, body: '{"message":"hello"}' })).text(),
      await (await fetch(`${base}/tools`)).text(),
    ];
    await expect.poll(stderr).toContain(LAST);
    expectReport(stderr());
    expect(answers.join()).not.toMatch(/npm error|registry|step 20|hunter22|holodeck\.log/);
  });

  it('has them shown when it hangs, as npx behind a proxy does', async () => {
    const faults: Fault[] = [];
    const report = (fault: Fault) => void faults.push(fault);
    const source = openScript(
      [join(SERVERS, 'servers.mjs'), 'broken', 'hang'],
      { env: { SHOP_KEY: 'hunter22' } },
      { report, limits: { startMs: 2_000 } },
    );
    await source.tools(ALICE, { signal: AbortSignal.timeout(20_000) });
    await source.close();
    expect(faults.map(({ text, lines }) => [text, lines?.at(-1)])).toEqual([
      ['tools.fixture: the server did not answer in time', LAST.slice(4)],
    ]);
  });
});
