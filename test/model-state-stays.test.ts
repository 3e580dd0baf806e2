import { spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime } from '../src/runtime/runtime.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE, buildAgent, buildTool } from './build.ts';
import { COMMAND } from './command.ts';
import { EVENT_STREAM, sendPieces, startModelServer } from './fakes/model-server.ts';
import { collect, temporaryFolder } from './runtime.ts';
import { serveRuntime } from './server/server.ts';

const SIGNATURE = 'planted-signature';
const THEIR_ID = 'planted-call-id';
const LEAK = /planted-|model_state/;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callOf = (name: string, args: object) => ({
  index: 0,
  id: THEIR_ID,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
  extra_content: { google: { thought_signature: SIGNATURE } },
});

/** A provider that signs its calls: the first reply of each turn calls the tool, the second answers. */
async function startSigningProvider(name: string, args: object) {
  const calls = sendPieces(
    [chunk({ tool_calls: [callOf(name, args)] }, 'tool_calls'), 'data: [DONE]\n\n'],
    EVENT_STREAM,
  );
  const answers = sendPieces([chunk({ content: 'Fine.' }, 'stop'), 'data: [DONE]\n\n'], EVENT_STREAM);
  const model = await startModelServer(Array.from({ length: 10 }, () => [calls, answers]).flat());
  onTestFinished(() => model[Symbol.asyncDispose]());
  return model;
}

async function openSigned() {
  const provider = await startSigningProvider('echo', { text: 'a' });
  const folder = temporaryFolder();
  const model = { provider: 'openai_compatible', name: 'signed', endpoint: provider.url, api_key: 'k' };
  const tools = async () => [buildTool()];
  const source = { name: 'test', tools, status: () => ({ state: 'ready' as const, tools: [] }), close: async () => {} };
  const runtime = await createRuntime({ agents: [buildAgent({ model })], folder, sources: [source] });
  onTestFinished(() => runtime.stop());
  return { provider, folder, runtime, ...(await serveRuntime(runtime)) };
}

const text = async (response: Promise<Response>) => (await response).text();

describe('the state of replies that a provider must get back', () => {
  it('goes to the model and to no client of the server', async () => {
    const { call, provider } = await openSigned();
    const answer = await text(call('POST /agent/helper/chat', { body: { message: 'hello' } }));
    const { session_id: id } = JSON.parse(answer);
    const run = { threadId: id, runId: 'r1', state: {}, tools: [], context: [], forwardedProps: {} };
    const message = { id: 'm1', role: 'user', content: 'again' };
    const shown = {
      answer,
      stream: await text(call('POST /agent/helper/chat/stream', { body: { message: 'more', session_id: id } })),
      agui: await text(call('POST /agent/helper/awp', { body: { ...run, messages: [message] } })),
      // The same message again: the turn is replaced, and followers receive the new path.
      regenerated: await text(call('POST /agent/helper/awp', { body: { ...run, runId: 'r2', messages: [message] } })),
      session: await text(call(`GET /sessions/${id}`)),
      turns: await text(call(`GET /sessions/${id}/turns`)),
      events: await text(call(`GET /sessions/${id}/events`)),
      aguiEvents: await text(call(`GET /sessions/${id}/events?format=ag-ui`)),
    };
    for (const [front, sent] of Object.entries(shown)) {
      expect(sent, front).toContain('Fine.');
      expect(sent, front).not.toMatch(LEAK);
    }
    const last = JSON.stringify(provider.requests.at(-1)?.body);
    expect(last).toContain(SIGNATURE);
    expect(last).toContain(THEIR_ID);
  });

  it('is in the store but not in the results of the library', async () => {
    const { runtime, folder } = await openSigned();
    const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'hello' });
    const read = [
      await collect(turn),
      await runtime.readMessages(ALICE, turn.conversationId),
      await runtime.readHistory(ALICE, turn.conversationId),
      await runtime.readEvents(ALICE, turn.turnId),
    ];
    expect(JSON.stringify(read)).not.toMatch(LEAK);
    await runtime.stop();
    const store = createSqliteStore({ folder });
    expect(JSON.stringify(await store.readMessages(ALICE, turn.conversationId))).toContain(SIGNATURE);
    await store.close();
  });

  it('is not in run --json, chat --json or a saved conversation', async () => {
    const folder = temporaryFolder();
    cpSync(join(import.meta.dirname, 'fixtures', 'fronts'), folder, { recursive: true });
    const provider = await startSigningProvider('weather', { city: 'Oslo' });
    const saved = join(folder, 'saved.json');
    const env = { ...process.env, MODEL_URL: provider.url, HOLODECK_DATA: join(folder, 'data') };
    const run = (args: string[], input: string) => output(args, { env, input });
    const agent = join(folder, 'agent.yaml');
    const shown = [
      await run(['run', agent, 'hello', '--json'], ''),
      await run(['chat', agent, '--json'], `hello\n/save ${saved}\n`),
      readFileSync(saved, 'utf8'),
    ];
    for (const sent of shown) {
      expect(sent).toContain('Fine.');
      expect(sent).not.toMatch(LEAK);
    }
  });
});

async function output(args: string[], { env, input }: { env: NodeJS.ProcessEnv; input: string }): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(input);
  let sent = '';
  for await (const piece of child.stdout) sent += piece;
  return sent;
}
