import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE } from './build.ts';
import { EVENT_STREAM, type FakeReply, startModelServer, writeEvents } from './fakes/model-server.ts';
import { temporaryFolder } from './runtime.ts';
import { serveRuntime, streamFrames } from './server/server.ts';

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
