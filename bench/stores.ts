/**
 * Compares the stores: a tool turn (four commits) alone and with 50 clients, its CPU time in our process and in the
 * database, and how much later a follower on another server sees text. Exits with 1 if a limit is missed. Every commit
 * waits for the disk. Run: npm run bench -- stores
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Model } from '../src/models/model.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { Event } from '../src/schema/conversation/event.ts';
import { ANN, callEvents, endTurn, newTurn } from '../src/store/contract/fixtures.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { ALICE, buildAgent } from '../test/build.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { quantile } from './client.ts';

const PIECES = 150;
const GAP_MS = 20;

/** A model that sends a piece of text every 20 ms. */
const slowModel: Model = {
  label: 'slow',
  async *stream() {
    for (let piece = 0; piece < PIECES; piece++) {
      yield { type: 'text', text: `piece ${piece} ` };
      await delay(GAP_MS);
    }
    yield { type: 'finish', reason: 'stop' };
  },
};

/** Milliseconds between a piece of text at the server that runs a turn and at a follower on another server. */
async function followerDelays(url: string): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const runtimes: Runtime[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const store = await createPostgresStore({ url });
      runtimes.push(await createRuntime({ agents: [buildAgent()], folder, store, model: slowModel }));
    }
    const [runner, other] = runtimes;
    if (!runner || !other) throw new Error('no runtimes');
    const turn = await runner.chat(ALICE, { agent: 'helper', message: 'hello', keepsGoing: true });
    const atRunner = readTimes(turn.events);
    const followed = other.follow(ALICE, { conversationId: turn.conversationId, signal: AbortSignal.timeout(60_000) });
    const first = await followed.next();
    if (first.done) throw new Error('nothing to follow');
    const [own, seen] = await Promise.all([atRunner, readTimes(first.value.events)]);
    await followed.return();
    // The first pieces are from before the follower came.
    return seen.flatMap((time, piece) => (piece < 20 ? [] : [time - (own[piece] ?? time)]));
  } finally {
    await Promise.all(runtimes.map((runtime) => runtime.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When each piece was there, by its number. */
async function readTimes(events: AsyncIterable<Event>): Promise<number[]> {
  const times: number[] = [];
  let text = '';
  for await (const event of events) {
    if (event.type !== 'text-delta') continue;
    text += event.text;
    const pieces = text.split('piece ').length - 1;
    while (times.length < pieces) times.push(performance.now());
  }
  return times;
}

const WARM_UP = 100;
const ALONE = 400;
const CLIENTS = 50;
const CROWD_TURNS = 4_000;
const LIMITS = { ratio: 4, cpuMs: 2, turnsPerSecond: 350, followerMs: 60 };

interface Measured {
  p50: number;
  p99: number;
  turnsPerSecond: number;
  cpuMs: number;
  databaseMs: number;
}

/** A turn with one call: its begin, the call's start, its end, and the answer. */
async function runToolTurn(store: Store): Promise<void> {
  const turn = newTurn();
  const begun = await store.beginTurn(ANN, turn);
  if (begun.outcome !== 'begun') throw new Error(begun.outcome);
  const [start, run, end] = callEvents(turn, ['start', 'run', 'end']);
  if (!start || !run || !end) throw new Error('no events');
  await store.writeTurn(ANN, begun.lease, { events: [start, run] });
  await store.writeTurn(ANN, begun.lease, { events: [end] });
  await store.writeTurn(ANN, begun.lease, endTurn(turn));
}

async function measure(store: Store, databasePids: () => Promise<string[]>): Promise<Measured> {
  for (let count = 0; count < WARM_UP; count++) await runToolTurn(store);
  const times: number[] = [];
  for (let count = 0; count < ALONE; count++) {
    const startedAt = performance.now();
    await runToolTurn(store);
    times.push(performance.now() - startedAt);
  }
  const crowd = async (turns: number) => {
    let left = turns;
    const client = async () => {
      while (left-- > 0) await runToolTurn(store);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };
  await crowd(CROWD_TURNS / 10);
  const [own, pids, startedAt] = [process.cpuUsage(), await databasePids(), performance.now()];
  const database = cpuOf(pids);
  await crowd(CROWD_TURNS);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(own);
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    turnsPerSecond: CROWD_TURNS / seconds,
    cpuMs: (user + system) / 1000 / CROWD_TURNS,
    databaseMs: (cpuOf(pids) - database) / CROWD_TURNS,
  };
}

/** CPU time of processes so far, in ms. */
function cpuOf(pids: readonly string[]): number {
  const of = (pid: string) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  return pids.reduce((sum, pid) => sum + of(pid), 0);
}

/** The server process of a PostgreSQL and all processes that it started. */
async function processesOf(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const server = parentOf(String(row?.pid));
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    // This connection's own process is gone at the end of the measurement.
    return all.filter((pid) => (pid === server || parentOf(pid) === server) && pid !== String(row?.pid));
  } finally {
    await sql.end();
  }
}

function parentOf(pid: string): string | undefined {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined; // it ended
  }
}

function print(name: string, { p50, p99, turnsPerSecond, cpuMs, databaseMs }: Measured): void {
  const alone = `${p50.toFixed(2)} / ${p99.toFixed(1)} ms`;
  const cpu = `${cpuMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms`;
  console.log(`| ${name} | ${alone} | ${turnsPerSecond.toFixed(0)} | ${cpu} |`);
}

const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
const cluster = await startCluster({ fsync: true });
const local = createSqliteStore({ folder });
const shared = await createPostgresStore({ url: cluster.url });
try {
  const sqlite = await measure(local, async () => []);
  const database = await measure(shared, () => processesOf(cluster.url));
  const delays = await followerDelays(cluster.url);
  console.log('| store | tool turn alone, p50 / p99 | 50 clients, turns/s | CPU per turn, ours + database |');
  console.log('|---|--:|--:|--:|');
  print('SQLite', sqlite);
  print('PostgreSQL', database);
  const found = {
    ratio: database.p50 / sqlite.p50,
    cpuMs: database.cpuMs + database.databaseMs,
    turnsPerSecond: database.turnsPerSecond,
    followerMs: quantile(delays, 0.5),
  };
  console.log(
    `a tool turn: ${found.ratio.toFixed(1)} × SQLite (≤ ${LIMITS.ratio}); CPU ${found.cpuMs.toFixed(2)} ms (≤ 2)`,
  );
  const follower = `${found.followerMs.toFixed(0)} / ${quantile(delays, 0.99).toFixed(0)} ms`;
  console.log(`a follower on another server sees text later by p50 / p99: ${follower} (≤ ${LIMITS.followerMs} / –)`);
  const isFast = found.ratio <= LIMITS.ratio && found.turnsPerSecond >= LIMITS.turnsPerSecond;
  process.exitCode = isFast && found.cpuMs <= LIMITS.cpuMs && found.followerMs <= LIMITS.followerMs ? 0 : 1;
} finally {
  await local.close();
  await shared.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
