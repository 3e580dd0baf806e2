import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { Event } from '../src/schema/conversation/event.ts';
import type { Tool } from '../src/tools/tool.ts';
import { ALICE, buildAgent, buildTool } from './build.ts';
import { type FakeModelServer, sendPieces, startModelServer } from './fakes/model-server.ts';
import { STRICT_PROVIDERS, type StrictProvider, startStrictProvider } from './fakes/strict-provider.ts';
import { collect, temporaryFolder } from './runtime.ts';

/** A runtime whose model is created from the agent's own file, over the wire. */
async function open(
  provider: StrictProvider,
  server: FakeModelServer,
  { folder, tool }: { folder: string; tool: Tool },
) {
  const model = { provider: provider.provider, name: provider.name, endpoint: server.url, api_key: 'test-key' };
  const source = {
    name: 'test',
    tools: async () => [tool],
    status: () => ({ state: 'ready' as const, tools: [] }),
    close: async () => {},
  };
  const runtime = await createRuntime({ agents: [buildAgent({ model })], folder, sources: [source] });
  onTestFinished(() => runtime.stop());
  return runtime;
}

const say = (runtime: Runtime, message: string, parts: { conversationId?: string; idempotencyKey?: string } = {}) =>
  runtime.chat(ALICE, { agent: 'helper', message, ...parts });
const endOf = (events: Event[]) => {
  const last = events.at(-1);
  return last?.type === 'turn-end' ? { status: last.result.status, content: last.result.content } : last?.type;
};
const WELL = { status: 'completed', content: 'Well done.' };

describe.each(STRICT_PROVIDERS)('$provider $name gets back $keeps', (provider) => {
  it('on every request of a turn, and in the next turn', async () => {
    await using server = await startStrictProvider(provider, 2);
    const runtime = await open(provider, server, { folder: temporaryFolder(), tool: buildTool() });
    const turn = await say(runtime, 'Go');
    expect(endOf(await collect(turn))).toEqual(WELL);
    const next = await say(runtime, 'Thanks', { conversationId: turn.conversationId });
    expect(endOf(await collect(next))).toEqual(WELL);
    expect(server.faults).toEqual([]);
    expect(server.requests).toHaveLength(4);
  });

  it('after an approval in another process', async () => {
    await using server = await startStrictProvider(provider);
    const folder = temporaryFolder();
    const tool = buildTool({ needsApproval: true });
    const first = await open(provider, server, { folder, tool });
    const turn = await say(first, 'Go');
    const wait = (await collect(turn)).find((event) => event.type === 'tool-call-wait');
    const call_id = wait?.type === 'tool-call-wait' ? wait.call_id : '';
    await first.stop();
    const second = await open(provider, server, { folder, tool });
    const answers = [{ call_id, approved: true }];
    const rest = await collect(await second.answer(ALICE, { conversationId: turn.conversationId, answers }));
    expect(endOf(rest)).toEqual(WELL);
    expect(server.faults).toEqual([]);
  });

  it('after the process stopped in the middle of the turn', async () => {
    await using server = await startStrictProvider(provider);
    const folder = temporaryFolder();
    const running = Promise.withResolvers<void>();
    const hangs = buildTool({
      run: (_, { signal }) => {
        running.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const first = await open(provider, server, { folder, tool: hangs });
    const turn = await say(first, 'Go', { idempotencyKey: 'once' });
    const seen = collect(turn);
    await running.promise;
    await first.stop();
    await seen.catch(() => {});
    const second = await open(provider, server, { folder, tool: buildTool() });
    const rest = await collect(await say(second, 'Go', { idempotencyKey: 'once' }));
    expect(endOf(rest)).toEqual(WELL);
    expect(server.faults).toEqual([]);
  });
});

it('Gemini 3 reads calls that another model made, with the value that Google documents for them', async () => {
  const [gemini, other] = STRICT_PROVIDERS as [StrictProvider, StrictProvider]; // the first two of the list
  const folder = temporaryFolder();
  await using before = await startStrictProvider(other);
  const first = await open(other, before, { folder, tool: buildTool() });
  const turn = await say(first, 'Go');
  await collect(turn);
  await first.stop();
  await using server = await startModelServer([sendPieces([gemini.text])]);
  const second = await open(gemini, server, { folder, tool: buildTool() });
  expect(endOf(await collect(await say(second, 'Thanks', { conversationId: turn.conversationId })))).toEqual(WELL);
  expect(server.requests[0]?.body).toMatchObject({
    messages: expect.arrayContaining([
      expect.objectContaining({
        tool_calls: [
          expect.objectContaining({
            extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
          }),
        ],
      }),
    ]),
  });
});
