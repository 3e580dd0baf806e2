import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Client,
  countSockets,
  countUnended,
  endless,
  type Flooded,
  flood,
  MB,
  manyCalls,
  memoryMb,
  type Reply,
  startClient,
  startFlooded,
  untilQuiet,
  watch,
} from './flood.ts';

/**
 * The short form of scripts/check-replies.ts: a real server process, a loopback model, real sockets.
 * - 250 MB of resident memory is the promise for twenty answers of 20 MB at the default `limits.reply_chars`; 90 to
 *   120 MB were measured.
 * - A heap of 768 MB is for `reply_chars` at its maximum, where 250 MB do not hold: twenty texts of 10 MB are 200 MB,
 *   and the turn and its open step hold each of them once (420 MB measured). V8 ends a process whose live objects
 *   exceed its heap. Clients that read nothing are dropped after 5 s, not 15: every text is whole by then.
 * - 64 runs are the default of `limits.calls_per_reply`.
 * - 30 s are the time that a container has after SIGTERM, and 60 s the time in which each reply must be answered.
 * - The bound on the event loop is a count: /health is asked again and again during a flood. 22 to 38 answers were
 *   measured; a server that stands still gives one or two.
 */
const CLIENTS = 20;
const MAX_GROWTH_MB = 250;
const LARGE_HEAP = '--max-old-space-size=768';
const SHORT_STALL = `--import=${new URL('fixtures/short-stall.ts', import.meta.url).href}`;
const LEAST_HEALTH_ANSWERS = 5;
const ANSWER_MS = 60_000;
const EXIT_GUARD_MS = 30_000;
const TIMEOUT_MS = 120_000;

const LARGEST_REPLY = 'limits: { reply_chars: 10000000 }';
const SHORT_DEADLINES = 'loop: { iteration_timeout_seconds: 2, answer_timeout_seconds: 3 }';

async function open(options: Parameters<typeof startFlooded>[0]): Promise<Flooded> {
  const flooded = await startFlooded(options);
  onTestFinished(() => flooded.close());
  return flooded;
}

function startClients(flooded: Flooded, { count, reads }: { count: number; reads: boolean }): Client[] {
  const clients = Array.from({ length: count }, () => startClient(flooded, reads));
  onTestFinished(() => {
    for (const { socket } of clients) socket.destroy();
  });
  return clients;
}

const allOf = (clients: readonly Client[]) => Promise.all(clients.map(({ done }) => done));

/** Runs twenty clients at once. Returns their cost, and the number of read streams without an end. */
async function runFlood(flooded: Flooded, reads: boolean) {
  const before = memoryMb(flooded);
  const sockets = countSockets(flooded);
  const stopWatch = watch(flooded);
  const clients = startClients(flooded, { count: CLIENTS, reads });
  const streams = reads ? await allOf(clients) : [];
  // Throws if a turn still runs or a connection is still open.
  await untilQuiet(flooded, { count: CLIENTS, sockets, deadline: performance.now() + ANSWER_MS });
  const { peak, ...health } = await stopWatch();
  return { growth: peak - before, unended: countUnended(streams), ...health };
}

describe.each([
  ['never read', false],
  ['read', true],
])('twenty answers of 20 MB to clients that %s', (_, reads) => {
  it('cost little memory, hold no connection and leave the event loop free', { timeout: TIMEOUT_MS }, async () => {
    const flooded = await open({ reply: flood(20 * MB) });
    const { growth, unended, failed, answered } = await runFlood(flooded, reads);
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
    expect({ unended, failed }).toEqual({ unended: 0, failed: 0 });
    expect(answered).toBeGreaterThan(LEAST_HEALTH_ANSWERS);
    expect(await flooded.stop()).toBe(0);
  });
});

it('the largest replies that may be set fit a small heap, and clients that never read them are dropped', {
  timeout: TIMEOUT_MS,
}, async () => {
  const flooded = await open({ reply: flood(20 * MB), settings: [LARGEST_REPLY], nodeArgs: [LARGE_HEAP, SHORT_STALL] });
  const { failed, answered } = await runFlood(flooded, false);
  expect(failed).toBe(0);
  expect(answered).toBeGreaterThan(LEAST_HEALTH_ANSWERS);
  expect(await flooded.stop()).toBe(0);
});

describe.each<[string, { reply: Reply; settings?: string[]; runs?: number }]>([
  ['a reply with 10,000 calls', { reply: manyCalls, runs: 64 }],
  ['a reply of 100 MB', { reply: flood(100 * MB) }],
  ['a reply that never ends', { reply: endless, settings: [SHORT_DEADLINES] }],
])('%s', (_, { runs = 0, ...options }) => {
  it('is answered', { timeout: ANSWER_MS }, async () => {
    const flooded = await open(options);
    const streams = await allOf(startClients(flooded, { count: 1, reads: true }));
    expect({ unended: countUnended(streams), runs: flooded.runs() }).toEqual({ unended: 0, runs });
  });
});

describe.each<[string, { reply: Reply; settings?: string[]; count: number; reads: boolean }]>([
  ['twenty answers of 20 MB that nobody reads', { reply: flood(20 * MB), count: CLIENTS, reads: false }],
  ['twenty answers of 20 MB', { reply: flood(20 * MB), count: CLIENTS, reads: true }],
  ['a reply with 10,000 calls', { reply: manyCalls, count: 1, reads: true }],
  ['a reply of 100 MB', { reply: flood(100 * MB), count: 1, reads: true }],
  ['a reply that never ends', { reply: endless, settings: [SHORT_DEADLINES], count: 1, reads: true }],
])('SIGTERM in the middle of %s', (_, { count, reads, ...options }) => {
  it('ends the process with 0 and every open stream', { timeout: EXIT_GUARD_MS + ANSWER_MS }, async () => {
    const flooded = await open(options);
    const clients = startClients(flooded, { count, reads });
    await expect.poll(flooded.asked, { interval: 5 }).toBeGreaterThanOrEqual(count);
    const late = setTimeout(() => flooded.child.kill('SIGKILL'), EXIT_GUARD_MS);
    const code = await flooded.stop();
    clearTimeout(late);
    expect(code).toBe(0);
    if (!reads) for (const { socket } of clients) socket.resume();
    const streams = await allOf(clients);
    expect(countUnended(reads ? streams : [])).toBe(0);
  });
});
