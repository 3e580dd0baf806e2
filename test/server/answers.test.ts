import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBuiltinModel } from '../../src/builtin/builtin-model.ts';
import { systemClock } from '../../src/clock.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { buildAgent, buildTool } from '../build.ts';
import { openScript, SERVERS } from '../fixtures/mcp-servers/open.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, readFrames, serveRuntime } from './server.ts';

const RETAIL = join(import.meta.dirname, '..', '..', 'agents', 'retail', 'agent.yaml');

type Read = Record<string, unknown> & { role: string; messages: Read[]; turns: Read[] };

async function read(response: Response): Promise<Read> {
  return (await response.json()) as Read; // each test compares the fields that it reads
}

const FACTS = ['sources', 'suggestions', 'confidence', 'checks', 'routing', 'status', 'finish_reason'] as const;
const factsOf = (shown: Read | undefined) => Object.fromEntries(FACTS.map((name) => [name, shown?.[name]]));

describe('older answers that are read back', () => {
  it('carry their facts, even when their events are gone', async () => {
    const folder = temporaryFolder();
    const runtime = await createRuntime({ agents: [await loadAgent(RETAIL)], folder });
    onTestFinished(() => runtime.stop());
    const { call } = await serveRuntime(runtime);
    const chat = async (body: object) => read(await call('POST /agent/retail-analyst/chat', { body }));
    const first = await chat({ message: 'Which location has the most stock?' });
    const { session_id } = first;
    const second = await chat({ message: 'Which category has the most revenue?', session_id });
    const database = new DatabaseSync(join(folder, 'holodeck.db'));
    database.exec('DELETE FROM events');
    database.close();

    const { messages } = await read(await call(`GET /sessions/${session_id}`));
    const answers = messages.filter((message) => message.sources !== undefined);
    expect(first.confidence).toBe('high');
    expect(answers.map(factsOf)).toEqual([first, second].map(factsOf));
    expect(answers.map((answer) => answer.id)).toEqual([first.message_id, second.message_id]);
    expect(new Set(messages.map((message) => message.turn_id)).size).toBe(2);

    const { turns } = await read(await call(`GET /sessions/${session_id}/turns`));
    const results = turns.map((turn) => turn.result as Read); // an ended turn has one
    expect(results.map(factsOf)).toEqual([second, first].map(factsOf));
    expect(results.map((result) => result.tool_calls)).toEqual([second.tool_calls, first.tool_calls]);
  });

  it('carry the usage of the whole turn, on its last text only', async () => {
    const usage = (prompt: number) => ({ prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 });
    const replies = [
      { text: 'Let me look.', calls: [{ name: 'echo' }], usage: usage(10) },
      { text: 'Done.', usage: usage(20) },
    ];
    const { call } = await openServer({ replies, tools: [buildTool()] });
    const { session_id } = await read(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
    const { messages } = await read(await call(`GET /sessions/${session_id}`));
    const shown = messages.filter(({ role }) => role === 'assistant');
    expect(shown.map(({ content, status }) => [content, status])).toEqual([
      ['Let me look.', undefined],
      ['Done.', 'completed'],
    ]);
    expect(shown[1]?.tokens_used).toEqual({ prompt_tokens: 30, completion_tokens: 2, total_tokens: 32 });
  });
});

describe('GET /sessions/{id}/turns', () => {
  it('lists siblings with parent, replaces and active, page by page', async () => {
    const { call } = await openServer({ replies: ['One.', 'Two.', 'Two again.'] });
    const run = async (runId: string, id: string) => {
      const messages = [{ id, role: 'user', content: id }];
      await (await call('POST /awp', { body: { threadId: 't', runId, messages, tools: [], context: [] } })).text();
    };
    await run('r1', 'm1');
    await run('r2', 'm2');
    await run('r3', 'm2');
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one shape
    const path = `GET /sessions/${sessions[0]?.session_id}/turns`;
    const { turns } = await read(await call(path));
    const [again, two, one] = turns;
    expect(turns.map((turn) => [turn.parent, turn.replaces, turn.active, (turn.result as Read).content])).toEqual([
      [one?.id, two?.id, true, 'Two again.'],
      [one?.id, undefined, false, 'Two.'],
      [undefined, undefined, true, 'One.'],
    ]);
    const page = await read(await call(`${path}?limit=1`));
    expect(page).toMatchObject({ turns: [{ id: again?.id }], next_before: again?.id });
    expect(await read(await call(`${path}?before=${two?.id}`))).toEqual({ turns: [one] });
  });
});

describe('answers once', () => {
  interface Waiting {
    session_id: string;
    status: string;
    content: string;
    question: { call_id: string };
    tool_calls: { id: string }[];
  }
  const CHAT = 'POST /agent/helper/chat';

  async function openDecision() {
    const ran: string[] = [];
    const remove = buildTool({ name: 'remove', needsApproval: true, run: () => `removed ${ran.push('remove')}` });
    const server = await openServer({ replies: [{ calls: [{ name: 'remove' }] }, 'Done.'], tools: [remove] });
    const waiting = (await (await server.call(CHAT, { body: { message: 'remove it' } })).json()) as Waiting; // one shape
    const call_id = waiting.tool_calls[0]?.id;
    const resume = async (body: object[], headers: Record<string, string> = {}) => {
      const response = await server.call(`POST /sessions/${waiting.session_id}/resume`, { body, headers });
      return [response.status, await response.json()];
    };
    return { ran, call_id, resume };
  }

  it('two decisions on one call in one request are refused, and neither is taken', async () => {
    const { ran, call_id, resume } = await openDecision();
    for (const approved of [true, false]) {
      const both = [
        { call_id, approved },
        { call_id, approved: !approved },
      ];
      expect(await resume(both)).toMatchObject([
        422,
        { errors: [{ path: '[1].call_id', message: 'is already answered by an earlier entry' }] },
      ]);
    }
    expect(ran).toEqual([]);
    expect(await resume([{ call_id, approved: true }])).toMatchObject([200, { status: 'completed' }]);
    expect(ran).toEqual(['remove']);
  });

  it('another decision under a key that was used is refused, and the same one gives the same answer', async () => {
    const { ran, call_id, resume } = await openDecision();
    const key = { 'idempotency-key': 'decision 1' };
    const first = await resume([{ call_id, approved: true }], key);
    expect(first).toMatchObject([200, { status: 'completed', content: 'Done.' }]);
    expect(await resume([{ call_id, approved: true }], key)).toEqual(first);
    expect(await resume([{ call_id, approved: false }], key)).toMatchObject([422, { code: 'idempotency_mismatch' }]);
    expect(ran).toEqual(['remove']);
  });

  it('two answers to one question in one request are refused, and the question stays open', async () => {
    const source = openScript([`${SERVERS}/servers.mjs`, 'ask']);
    const { call } = await openServer({
      replies: [{ calls: [{ name: 'ask' }] }, 'Done.'],
      tools: [],
      sources: [source],
    });
    const waiting = (await (await call(CHAT, { body: { message: 'hello' } })).json()) as Waiting; // one shape
    const { call_id } = waiting.question;
    const answer = (...cities: string[]) => {
      const body = cities.map((city) => ({ call_id, result: { city } }));
      return call(`POST /sessions/${waiting.session_id}/resume`, { body });
    };
    expect((await answer('Paris', 'Rome')).status).toBe(422);
    expect(await (await answer('Rome')).json()).toMatchObject({
      status: 'completed',
      tool_calls: [{ result: expect.stringContaining('Rome') }],
    });
    await source.close();
  });
});

describe('rest answers', () => {
  const CHAT = 'POST /agent/helper/chat';
  const WARNING =
    'This conversation nearly fills what the model is sent: the oldest messages are left out as it grows.';

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
});
