import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { COMMAND } from '../command.ts';
import { isLong, pick } from '../long.ts';
import { openServer } from '../server/server.ts';
import { openLead, untilAsked } from '../team/remote.ts';
import { writeAgent } from '../tools/program.ts';

const TIMEOUT = { timeout: 360_000 };

/** A model that does what its last message says. */
function openObedient(ran: unknown[]) {
  const remove = buildTool({
    name: 'remove',
    needsApproval: true,
    run: (args) => {
      ran.push(args);
      return 'removed';
    },
  });
  return openServer({
    tools: [remove, buildTool()],
    replies: ({ messages }) => {
      const last = messages.at(-1);
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      if (last?.role === 'tool') return `Done with ${asked}.`;
      if (asked.startsWith('remove')) return { calls: [{ name: 'remove', arguments: { text: 'all' } }] };
      if (asked.startsWith('use a tool')) return { calls: [{ name: 'echo', arguments: { text: 'a' } }] };
      if (asked.startsWith('pick')) return { calls: [{ name: 'pick', arguments: { from: 'blue, red' } }] };
      if (asked.startsWith('fail')) return { error: new Error('broken') };
      if (asked.startsWith('hang')) return { text: 'x', hang: true };
      return asked.includes('Milk and bread') ? 'I read milk and bread.' : `You said ${asked}.`;
    },
  });
}

it(
  "A2A's own clients, 1.0 and 0.3: message, stream, approval, denial, failure, cancellation, and tasks of others",
  TIMEOUT,
  async () => {
    const ran: unknown[] = [];
    const { url, runtime } = await openObedient(ran);
    const lines = await runClient('a2a', url);
    const question = 'Allow remove with {"text":"all"}? Answer yes or no.';
    expect(lines).toEqual([
      { step: 'message', state: 3, text: 'You said hello.' },
      { step: 'read', state: 3, text: 'You said hello.' },
      {
        step: 'stream',
        seen: [['task', 2, true], 'You said again.', ['statusUpdate', 3, true]],
      },
      { step: 'asked', state: 6, text: '', says: question },
      { step: 'foreign', error: 'TaskNotFoundError' },
      { step: 'foreign answer', error: 'TaskNotFoundError' },
      { step: 'answered', state: 3, text: 'Done with remove all.' },
      { step: 'denied', state: 3, text: 'Done with remove all.' },
      { step: 'failed', state: 4 },
      { step: 'running', state: 2, text: '' },
      { step: 'cancelled', state: 5 },
      { step: 'cancelled twice', error: 'TaskNotCancelableError' },
      { step: '0.3 message', kind: 'task', state: 'completed', text: 'You said hello.' },
      { step: '0.3 read', kind: 'task', state: 'completed', text: 'You said hello.' },
      {
        step: '0.3 stream',
        seen: [['task', 'working', true], 'You said again.', ['status-update', 'completed', true]],
      },
      { step: '0.3 asked', kind: 'task', state: 'input-required', text: '', says: question },
      { step: '0.3 foreign', error: 'TaskNotFoundError' },
      { step: '0.3 answered', kind: 'task', state: 'completed', text: 'Done with remove all.' },
      { step: '0.3 failed', state: 'failed' },
      { step: '0.3 cancelled', state: 'canceled' },
      { step: '0.3 cancelled twice', error: 'TaskNotCancelableError' },
    ]);
    expect(ran).toEqual([{ text: 'all' }, { text: 'all' }]);
    expect(runtime.activeTurns).toBe(0);
  },
);

it(
  "A2A's own servers, 1.0 and 0.3, as members of a team: answer, question, failure, cancellation",
  TIMEOUT,
  async () => {
    const cwd = await installOnce('a2a');
    const child = spawn(process.execPath, ['serve.js'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const [printed] = await once(child.stdout, 'data');
    for (const card of JSON.parse(String(printed)) as string[]) {
      const { runtime } = await openLead({ url: new URL(card).origin });
      const said = async (task: string) => (await untilAsked(runtime, task)).result.content;
      expect(await said('goods')).toBe('Told: {"answer":"Shipped: goods."}');
      expect(await said('fail')).toContain('freight says that the task is failed: \\"No ship.\\".');
      const asked = await untilAsked(runtime, 'ask');
      expect(asked.result).toMatchObject({ status: 'waiting', question: { message: 'freight asks: Which door?' } });
      const { result } = await untilAsked(runtime, asked.say('the left one'));
      expect(result.content).toBe('Told: {"answer":"Shipped: the left one."}');
      const turn = await runtime.chat(ALICE, { agent: 'lead', message: 'hang' });
      for await (const event of turn.events) {
        if (event.type === 'delegation') await runtime.cancel(ALICE, turn.conversationId);
        if (event.type === 'turn-end')
          expect(event.result.tool_calls[0]?.error?.message).toBe('freight was cancelled.');
      }
    }
  },
);

type Sdk = [version: number, options: { name: string; hasApprovals: boolean }];
const NEWEST: Sdk = [7, { name: 'ai', hasApprovals: true }];
/** All read the same stream, which test/server/ui-stream.test.ts checks part by part. Version 5 knows no approvals. */
const SDKS = pick<Sdk[]>(
  [NEWEST],
  [NEWEST, [6, { name: 'ai-6', hasApprovals: true }], [5, { name: 'ai-5', hasApprovals: false }]],
);

it.each(SDKS)(
  'the chat of the AI SDK %d: text, tool, regeneration, file, approval, denial, failure, stop and resume',
  TIMEOUT,
  async (_version, { name, hasApprovals }) => {
    const ran: unknown[] = [];
    const { url, runtime } = await openObedient(ran);
    const lines = await runClient('ai', url, { SDK: name });
    const usedTool = [['echo', 'output-available', { text: 'a' }], 'Done with use a tool.'];
    const asked = { step: 'asked', parts: [['remove', 'approval-requested', null]] };
    const approvals = [
      asked,
      { step: 'approved', parts: [['remove', 'output-available', 'removed'], 'Done with remove all.'], count: 2 },
      asked,
      { step: 'denied', parts: [['remove', 'output-denied', null], 'Done with remove all.'], count: 2 },
    ];
    expect(lines).toEqual([
      { step: 'text', parts: ['You said hello.'], status: 'completed', hasSession: true },
      { step: 'tool', parts: usedTool, count: 4 },
      { step: 'regenerated', parts: expect.arrayContaining(['Done with use a tool.']), count: 4 },
      { step: 'file', parts: ['I read milk and bread.'] },
      ...(hasApprovals ? approvals : []),
      { step: 'failed', errors: 1, status: 'error' },
      { step: 'stopped', status: 'ready' },
      { step: 'nothing to resume', errors: [], status: 'ready', count: 6 },
      { step: 'resumed', parts: ['x'], isSame: true, errors: [], count: 2 },
    ]);
    expect(ran).toEqual(hasApprovals ? [{ text: 'all' }] : []);
    await expect.poll(() => runtime.activeTurns).toBe(0);
  },
);

it('a client generated from /openapi.json: strict types without narrowing, approval, an error', TIMEOUT, async () => {
  const ran: unknown[] = [];
  const { url } = await openObedient(ran);
  expect(await runClient('generated', url)).toEqual([
    { step: 'compiled', faults: '' },
    { step: 'chat', text: 'Done with use a tool.', status: 'completed', call: ['echo', 'success'], sources: [] },
    { step: 'history', roles: ['user', 'assistant', 'tool', 'assistant'] },
    { step: 'list', isListed: true },
    { step: 'asked', status: 'waiting', tool: 'remove' },
    { step: 'approved', text: 'Done with remove all.' },
    { step: 'tools', names: ['echo', 'remove'] },
    { step: 'unknown', status: 404, code: 'agent_not_found' },
    { step: 'removed', status: 204 },
  ]);
  expect(ran).toEqual([{ text: 'all' }]);
});

it.runIf(isLong)(
  "LangChain's ChatOpenAI: text, stream, both kinds of tools, approval, failure and cancellation",
  TIMEOUT,
  async () => {
    const ran: unknown[] = [];
    const { url, runtime } = await openObedient(ran);
    const lines = await runClient('langchain', url);
    const calls = [{ name: 'pick', args: { from: 'blue, red' } }];
    const waits = 'Waiting for a decision about remove. Decide on the page or by POST /sessions/ID/resume.';
    expect(lines).toEqual([
      { step: 'text', text: 'You said hello.', reason: 'stop' },
      { step: 'stream', text: 'You said hello.' },
      { step: 'own tool', text: 'Done with use a tool.' },
      { step: 'tool', calls, reason: 'tool_calls' },
      { step: 'result', text: 'Done with pick a colour.' },
      { step: 'streamed tool', calls },
      { step: 'denied', text: 'Done with remove all.' },
      { step: 'asked', text: waits },
      { step: 'failed', status: 500, isError: true },
      { step: 'stranger', status: 401 },
      { step: 'cancelled', heard: 'x', error: 'AbortError' },
      { step: 'responses', text: 'You said hello.' },
    ]);
    expect(ran).toEqual([]);
    await expect.poll(() => runtime.activeTurns).toBe(0);
  },
);

it.runIf(isLong)(
  'the MCP inspector over HTTP and over stdio: tools, answers, a denied approval, a failure',
  TIMEOUT,
  async () => {
    const ran: unknown[] = [];
    const { url } = await openObedient(ran);
    const agent = join(writeAgent({}), 'agent.yaml');
    const lines = await runClient('inspector', url, { AGENT: agent, HOLODECK: COMMAND });
    const tools = ['ask_helper'];
    const done = { code: 0, status: 'completed' };
    expect(lines).toEqual([
      { step: 'http list', code: 0, tools },
      { step: 'http ask', ...done, content: 'You said hello.' },
      { step: 'http resources', code: 0, resources: ['hello'] },
      { step: 'tool', ...done, content: 'Done with use a tool.' },
      // It has no elicitation, so nobody can be asked.
      { step: 'approval', ...done, content: 'Done with remove all.' },
      { step: 'failure', code: 5, status: 'error', content: expect.stringContaining('Something went wrong') },
      { step: 'stdio list', code: 0, tools },
      { step: 'stdio ask', ...done, content: expect.stringContaining('any tools') },
      { step: 'stdio resources', code: 0, resources: ['hello'] },
      { step: 'stranger', code: 3, error: 'auth_required' },
    ]);
    expect(ran).toEqual([]);
  },
);

/** Folders of installed clients by name. Tests that run the same client share one. */
const installed = new Map<string, Promise<string>>();
afterAll(async () => {
  for (const folder of installed.values()) await rm(await folder, { recursive: true });
});

/** Runs the script of a client with its own packages against a server. Returns the lines of JSON that it prints. */
async function runClient(
  name: string,
  url: string,
  more: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const env = { ...process.env, URL: url, ...more };
  const printed = await run(process.execPath, ['main.js'], { folder: await installOnce(name), env });
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

function installOnce(name: string): Promise<string> {
  const installing = installed.get(name) ?? install(name);
  installed.set(name, installing);
  return installing;
}

async function install(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `holodeck-${name}-`));
  const source = join(import.meta.dirname, name);
  await cp(source, folder, { recursive: true, filter: (path) => !path.slice(source.length).includes('node_modules') });
  const flags = ['--prefer-offline', '--no-progress', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['ci', ...flags], { folder, env: process.env });
  return folder;
}

interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

async function run(command: string, args: string[], { folder, env }: Place): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env });
  const [printed, faults]: string[][] = [[], []];
  child.stdout.on('data', (data) => printed?.push(String(data)));
  child.stderr.on('data', (data) => faults?.push(String(data)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${faults?.join('')}\n${printed?.join('')}`);
  return printed?.join('') ?? '';
}
