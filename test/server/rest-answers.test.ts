import { expect, it, onTestFinished } from 'vitest';
import { createBuiltinModel } from '../../src/builtin/builtin-model.ts';
import { systemClock } from '../../src/clock.ts';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { buildAgent, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, readFrames, serveRuntime } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const WARNING = 'This conversation nearly fills what the model is sent: the oldest messages are left out as it grows.';

it('/health counts the conversations with a request within their time to live, not running turns', async () => {
  const agents = [60, 6_000].map((seconds) =>
    buildAgent({ name: `ttl-${seconds}`, server: { session_ttl_seconds: seconds } }),
  );
  let nowMs = Date.now();
  let ticks = 0;
  const clock = { ...systemClock, date: () => new Date(nowMs), now: () => ticks };
  const model = createScriptedModel(['Hello.', 'Hello.', 'Hello.']);
  const runtime = await createRuntime({ agents, folder: temporaryFolder(), model, clock });
  onTestFinished(() => runtime.stop());
  const { call } = await serveRuntime(runtime);
  const active = async () => {
    ticks += 2_000;
    return ((await (await call('GET /health')).json()) as { active_sessions: number }).active_sessions; // as documented
  };
  expect(await active()).toBe(0);
  for (const name of ['ttl-60', 'ttl-6000', 'ttl-6000'])
    await (await call(`POST /agent/${name}/chat`, { body: { message: 'hi' } })).json();
  expect([await active(), runtime.activeTurns]).toEqual([3, 0]);
  nowMs += 600_000;
  expect(await active()).toBe(2);
});

it('warns at 80 % of the history, over REST and AG-UI', async () => {
  const agent = { limits: { history_messages: 5 } };
  const { call } = await openServer({ replies: ['One.', 'Two.', 'Three.'], agent });
  const first = await readAnswer(await call(CHAT, { body: { message: 'a' } }));
  const { session_id } = first;
  expect(first).not.toHaveProperty('warning');
  expect(await readAnswer(await call(CHAT, { body: { message: 'b', session_id } }))).toMatchObject({
    warning: WARNING,
  });
  const input = { threadId: session_id, runId: 'r1', messages: [{ id: 'm1', role: 'user', content: 'c' }] };
  const body = { ...input, state: {}, tools: [], context: [], forwardedProps: {} };
  const frames = await readFrames(await call('POST /awp', { body, headers: { accept: 'text/event-stream' } }));
  expect(frames.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED', result: { warning: WARNING } });
});

it('warns at 80 % of the tokens too', async () => {
  const agent = { limits: { context_tokens: 100 } };
  const { call } = await openServer({ replies: ['x'.repeat(400)], agent });
  expect(await readAnswer(await call(CHAT, { body: { message: 'a' } }))).toMatchObject({ warning: WARNING });
});

it('reads null as absent', async () => {
  const { call } = await openServer({ replies: ['Hello.'] });
  const response = await call(CHAT, { body: { message: 'hi', session_id: null, files: null } });
  expect([response.status, (await readAnswer(response)).content]).toEqual([200, 'Hello.']);
});

it('removes escapes from the arguments of calls: in the answer, in the stream and when read back', async () => {
  const call = { name: 'echo', arguments: { text: 'a\u001b[31mred\u202e' } };
  const replies = [{ calls: [call] }, 'Done.', { calls: [call] }, 'Done.'];
  const { call: send } = await openServer({ replies, tools: [buildTool()] });
  const answer = await (await send(CHAT, { body: { message: 'hi' } })).text();
  const stream = await (await send('POST /agent/helper/chat/stream', { body: { message: 'hi' } })).text();
  const { session_id } = JSON.parse(answer);
  const readBack = ['', '/turns'].map(async (path) => (await send(`GET /sessions/${session_id}${path}`)).text());
  for (const text of [answer, stream, ...(await Promise.all(readBack))]) {
    expect(text).toContain('"arguments":{"text":"ared"}');
    expect(text).not.toMatch(/\\u001b|\u001b|\u202e|\\u202e/);
  }
});

it("has the message_id of the user's message for a turn that ended without an answer", async () => {
  const error = new AppError('model_unavailable', { detail: 'Gone.' });
  const { call } = await openServer({ replies: [{ error }] });
  const answer = await readAnswer(await call(CHAT, { body: { message: 'hi' } }));
  expect(answer).toMatchObject({ status: 'error', error: { code: 'model_unavailable' } });
  expect(answer).toMatchObject({ message_id: expect.any(String), messages: [{ role: 'user' }] });
  expect(answer).toHaveProperty('message_id', (answer.messages[0] as { id?: string }).id); // of a whole message
});

it('a built-in model that fails is an IntentClassificationError without internals', async () => {
  const agents = [buildAgent()];
  const model = createBuiltinModel({
    agent: buildAgent({ intents: { a: { tool: 'echo', examples: ['do it'] } } }),
    vectors: () => {
      throw new Error('ENOENT /srv/vectors.bin');
    },
    plan: () => {
      throw new Error('ENOENT /srv/vectors.bin');
    },
  });
  const runtime = await createRuntime({ agents, folder: temporaryFolder(), model });
  onTestFinished(() => runtime.stop());
  const { call } = await serveRuntime(runtime);
  const text = await (await call(CHAT, { body: { message: 'do something odd' } })).text();
  expect(JSON.parse(text)).toMatchObject({
    error: { code: 'builtin_failed', error_type: 'IntentClassificationError' },
  });
  expect(text).not.toContain('/srv');
});
