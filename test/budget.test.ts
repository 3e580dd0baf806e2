import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { AppError } from '../src/errors.ts';
import { runAgent } from '../src/runtime/run-agent.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import type { User } from '../src/schema/user.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE, BOB, buildAgent } from './build.ts';
import {
  EVENT_STREAM,
  type FakeReply,
  sendPieces,
  sendStatus,
  startModelServer,
  writeEvents,
} from './fakes/model-server.ts';
import { collect, openRuntime, type Scene, temporaryFolder } from './runtime.ts';
import { openServer, serveRuntime, streamFrames } from './server/server.ts';

/** Dollars per million tokens, so that a thousand output tokens cost a cent. */
const price = { in: 1, out: 10 };
const usage = { prompt_tokens: 100, completion_tokens: 990, total_tokens: 1_090 };
const COST = 0.01;
const paid = { text: 'Hello.', usage };

async function openTurns(scene: Scene) {
  const { runtime, model } = await openRuntime(scene);
  const ask = async (user: User): Promise<TurnResult> => {
    const events = await collect(await runtime.chat(user, { agent: 'helper', message: 'Hi' }));
    const end = events.at(-1);
    if (end?.type !== 'turn-end') throw new Error('no end');
    return end.result;
  };
  return { ask, model, runtime };
}

const costing = (budget: object = {}, more: object = {}) => ({ model: { price, max_tokens: 1_000 }, budget, ...more });

describe('the cost of a turn', () => {
  it('is the sum of its calls, in the result and in the history', async () => {
    const replies = [{ calls: [{ name: 'echo', arguments: {} }], usage }, paid];
    const { ask, runtime } = await openTurns({ replies, agent: costing() });
    expect((await ask(ALICE)).tokens_used).toEqual({
      prompt_tokens: 200,
      completion_tokens: 1_980,
      total_tokens: 2_180,
      cost_usd: 2 * COST,
    });
    const [listed] = await runtime.listConversations(ALICE, { limit: 1 });
    const history = await runtime.readHistory(ALICE, listed?.id ?? '');
    expect(history.at(-1)?.result?.tokens_used?.cost_usd).toBe(2 * COST);
  });

  it('is absent where a price is unknown, never 0', async () => {
    const { ask } = await openTurns({ replies: [paid] });
    expect((await ask(ALICE)).tokens_used).toEqual(usage);
  });

  it('is shown by every front', async () => {
    const { call } = await openServer({ replies: () => paid, agent: costing() });
    const rest = await call('POST /agent/helper/chat', { body: { message: 'Hi' } });
    expect(await rest.json()).toMatchObject({ tokens_used: { cost_usd: COST } });
    const messages = [{ role: 'user', content: 'Hi' }];
    const openai = await call('POST /v1/chat/completions', { body: { model: 'helper', messages } });
    expect(await openai.json()).toMatchObject({ usage: { prompt_tokens: 100, cost: COST } });
    const responses = await call('POST /v1/responses', { body: { model: 'helper', input: 'Hi' } });
    expect(await responses.json()).toMatchObject({ usage: { input_tokens: 100, cost: COST } });
    const run = {
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'm', role: 'user', content: 'Hi' }],
      tools: [],
      context: [],
    };
    const agui = await call('POST /awp', { body: run });
    expect(await agui.text()).toContain(`"cost_usd":${COST}`);
    const { session_id } = (await (await call('POST /agent/helper/chat', { body: { message: 'Hi' } })).json()) as {
      session_id: string;
    };
    const turns = (await (await call(`GET /sessions/${session_id}/turns`)).json()) as { turns: { id: string }[] };
    const trace = await call(`GET /sessions/${session_id}/turns/${turns.turns[0]?.id}/trace`);
    expect(await trace.json()).toMatchObject({ steps: [{ tokens_used: { cost_usd: COST } }] });
  });
});

describe('a limit of costs', () => {
  it('of a turn stops before the call that would exceed it', async () => {
    const replies = () => ({ calls: [{ name: 'echo', arguments: {} }], usage });
    const { ask, model } = await openTurns({ replies, agent: costing({ per_turn: 0.035 }) });
    const result = await ask(ALICE);
    expect(model.requests).toHaveLength(3);
    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'budget_reached', error_type: 'PermissionDenied' },
    });
    expect(result.error?.message).toBe(
      'One answer may cost at most $0.0350, and the next step would cost more. Ask for a smaller part.',
    );
  });

  it('of a user and day leaves other users their own', async () => {
    const { ask, model } = await openTurns({ replies: () => paid, agent: costing({ per_user_day: 0.015 }) });
    expect((await ask(ALICE)).status).toBe('completed');
    expect((await ask(ALICE)).error?.message).toMatch(/^The limit of \$0.0150 a day for your questions is reached/);
    expect((await ask(BOB)).status).toBe('completed');
    expect(model.requests).toHaveLength(2);
  });

  it('of a day counts all users', async () => {
    const { ask } = await openTurns({ replies: () => paid, agent: costing({ per_day: 0.015 }) });
    expect((await ask(ALICE)).status).toBe('completed');
    expect((await ask(BOB)).error?.message).toMatch(/a day for this agent is reached/);
  });

  it('counts the real cost after a call, and nothing for a call that was refused', async () => {
    const cheap = { text: 'Hi', usage: { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 } };
    const replies = [cheap, { error: new Error('refused') }, cheap, cheap];
    const { ask } = await openTurns({ replies, agent: costing({ per_user_day: 0.012 }) });
    const statuses = [await ask(ALICE), await ask(ALICE), await ask(ALICE), await ask(ALICE)].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(['completed', 'error', 'completed', 'completed']);
  });

  it('counts a reply that was written and never arrived', async () => {
    const late = { error: new AppError('model_timeout', { detail: 'Late.' }) };
    const { ask } = await openTurns({ replies: [late, paid], agent: costing({ per_user_day: 0.015 }) });
    expect((await ask(ALICE)).error?.code).toBe('model_timeout');
    expect((await ask(ALICE)).error?.code).toBe('budget_reached');
  });

  it('is the same for two servers on one store, also in the middle of their calls', async () => {
    const folder = temporaryFolder();
    const scene = { replies: () => ({ ...paid, delayMs: 50 }), agent: costing({ per_day: 0.035 }), folder };
    const [one, two] = [await openTurns(scene), await openTurns(scene)];
    const results = await Promise.all([one, two, one, two, one, two].map(({ ask }) => ask(ALICE)));
    expect(results.filter(({ status }) => status === 'completed')).toHaveLength(3);
    expect(results.filter(({ error }) => error?.code === 'budget_reached')).toHaveLength(3);
  });

  it('counts the fallback at its own price', async () => {
    const done = { choices: [{ delta: { content: 'Ok' }, finish_reason: 'stop' }], usage };
    await using server = await startModelServer([sendStatus(403), sendPieces([writeEvents(done, '[DONE]')])]);
    const shared = { provider: 'openai_compatible', name: 'x', endpoint: server.url };
    const model = { ...shared, price: { in: 0, out: 0 }, fallback: { ...shared, price } };
    const turn = runAgent({ agent: buildAgent({ model }), user: ALICE, message: 'Hi', folder: temporaryFolder() });
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    expect(next.value.tokens_used?.cost_usd).toBe(COST);
  });
});

describe('a limit with an unknown price', () => {
  it('is refused in the file, with its place', async () => {
    const folder = temporaryFolder();
    const model = '{ provider: ollama, name: x, fallback: { provider: ollama, name: y } }';
    writeFileSync(
      join(folder, 'agent.yaml'),
      `name: a\ninstructions: Help.\nmodel: ${model}\nbudget: { per_day: 1 }\n`,
    );
    await expect(loadAgent(folder)).rejects.toThrow(
      /model.price: is missing; budget needs the price.*\n.*fallback.price/,
    );
  });

  it('is refused when a runtime starts', async () => {
    const agent = buildAgent({ budget: { per_turn: 1 }, model: { provider: 'ollama', name: 'x' } });
    const starting = createRuntime({ agents: [agent], folder: temporaryFolder() });
    await expect(starting).rejects.toMatchObject({ code: 'config_invalid', message: /price of x is unknown/ });
  });

  it('of a day needs a store', async () => {
    const agent = buildAgent(costing({ per_day: 1 }));
    await expect(runAgent({ agent, user: ALICE, message: 'Hi' }).next()).rejects.toThrow(/Use createRuntime/);
  });
});

const CAP_USD = 0.5;
const TOKEN_USD = 15 / 1e6;
/** A reply of 30,000 tokens in pieces of 1,000, which never ends by itself. */
const PIECES = 30;
const PIECE_TOKENS = 1_000;
const PIECE_CHARS = 4 * PIECE_TOKENS;
const REPLY_USD = PIECES * PIECE_TOKENS * TOKEN_USD;
/** The longest reply that may be written: `limits.reply_chars`, at four characters a token. */
const LONGEST_USD = 64_000 * TOKEN_USD;
const PIECE = writeEvents({ choices: [{ delta: { content: 'x'.repeat(PIECE_CHARS) } }] });

/** A provider that bills every piece that it sends. */
async function openProvider() {
  let billed = 0;
  const reply: FakeReply = async (response) => {
    response.writeHead(200, EVENT_STREAM);
    for (let sent = 0; sent < PIECES && !response.destroyed; sent++) {
      billed += PIECE_TOKENS * TOKEN_USD;
      await new Promise((resolve) => response.write(PIECE, resolve));
    }
  };
  const server = await startModelServer([reply]);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: server.url, billed: () => billed };
}

async function openPaidServer() {
  const provider = await openProvider();
  const folder = temporaryFolder();
  const store = createSqliteStore({ folder });
  writeFileSync(
    join(folder, 'agent.yaml'),
    `name: helper
instructions: Help.
model: { provider: openai_compatible, name: m, endpoint: "${provider.url}", price: { in: 0, out: 15 } }
budget: { per_user_day: ${CAP_USD} }
server: { rate_limit: { turns_per_minute: 1000 } }
`,
  );
  const runtime = await createRuntime({ agents: [await loadAgent(folder, { cwd: folder })], folder, store });
  onTestFinished(() => runtime.stop());
  const { call } = await serveRuntime(runtime);
  const day = new Date().toISOString().slice(0, 10);
  const counted = async () => (await store.readCost(ALICE, { agent: 'helper', day })).user / 1e6;
  return { call, billed: provider.billed, counted };
}

type Server = Awaited<ReturnType<typeof openPaidServer>>;

/** Asks, reads all that the model writes and leaves before the end. Returns the code of a refusal. */
async function leave({ call }: Server, how: 'hang-up' | 'cancel') {
  const controller = new AbortController();
  const body = { message: 'Write a book.' };
  const response = await call('POST /agent/helper/chat/stream', { body, signal: controller.signal });
  let session = '';
  let chars = 0;
  for await (const { event, data } of streamFrames(response)) {
    if (event === 'stream_start') session = String(data.session_id);
    if (event === 'error') return (data.error as { code: string }).code; // as TurnResult has it
    if (event === 'stream_end') break;
    if (event === 'message_delta') chars += String(data.delta).length;
    if (chars < PIECES * PIECE_CHARS) continue;
    if (how === 'hang-up') break;
    await call(`POST /sessions/${session}/cancel`);
  }
  controller.abort();
  return undefined;
}

describe('clients that leave in the middle of answers', () => {
  it.each(['hang-up', 'cancel'] as const)('reach the cap by %s like any other', async (how) => {
    const server = await openPaidServer();
    const codes: unknown[] = [];
    for (let turn = 0; turn < 20 && !codes.includes('budget_reached'); turn++) {
      codes.push(await leave(server, how));
      // The server notices a hang-up a moment later, and then counts the cost in place of the reservation.
      await expect.poll(server.counted).toBeLessThan(turn * REPLY_USD + LONGEST_USD);
    }
    expect(codes.at(-1)).toBe('budget_reached');
    expect(codes.length).toBeGreaterThan(1);
    expect(server.billed()).toBeLessThanOrEqual(CAP_USD + REPLY_USD);
    expect(await server.counted()).toBeGreaterThanOrEqual(server.billed() - TOKEN_USD);
  });

  it('exceed the cap by one reply at most when they all ask at once', async () => {
    const server = await openPaidServer();
    const all = Array.from({ length: 12 }, (_, index) => leave(server, index % 2 === 0 ? 'hang-up' : 'cancel'));
    const codes = await Promise.all(all);
    expect(codes.filter((code) => code === 'budget_reached').length).toBeGreaterThan(0);
    expect(server.billed()).toBeLessThanOrEqual(CAP_USD + REPLY_USD);
  });
});
