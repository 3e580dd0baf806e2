import { setTimeout as delay } from 'node:timers/promises';
import type { Pair } from '../../postgres/pair.ts';
import type { SmallDisk } from '../../small-disk.ts';
import { openServers, type Server } from '../servers.ts';
import { type Balancer, startHaproxy, startRoundRobin } from './balancer.ts';
import {
  FAULTS,
  type Fault,
  type FaultLimits,
  measureTakeOvers,
  openDatabaseProxy,
  type TakeOvers,
  type World,
} from './faults.ts';
import { type Checked, check, type Load, startLoad } from './load.ts';

export interface TortureOptions {
  seed: number;
  servers: number;
  /** Ends after so many faults or so much time, whichever comes first. */
  maxFaults: number;
  maxMs: number;
  clients: number;
  /** Absent = SQLite in one data folder. */
  pair?: Pair | undefined;
  /** The file system of SQLite's folder, to be filled. */
  disk?: SmallDisk | undefined;
  /** Default: a small proxy, round robin. */
  usesHaproxy?: boolean;
  /** The program to run; default: the sources. */
  command?: string;
  /** Mean pause between two faults. */
  pauseMs?: number;
  log?(line: string): void;
}

export interface TortureReport extends Checked {
  seed: number;
  balancer: Balancer['name'];
  faults: Record<string, number>;
  /** Acknowledged turns by front. */
  turns: Record<string, number>;
  /** Turns that ended with an error, as their clients were informed. */
  failed: string[];
  readyMs: number[];
  /** Takeovers without another fault meanwhile, and with one. */
  takeOverMs: number[];
  disturbedMs: number[];
  /** Turns of dead servers that no other server continued. */
  missed: string[];
}

const SETTLE_MS = 90_000;
const PAUSE_MS = 1_500;
/** On SQLite a stop needs no length: its processes hold locks, not leases. */
const LIMITS: Record<'shared' | 'local', FaultLimits> = {
  shared: { stopMs: 10_000, awayMs: 3_000 },
  local: { stopMs: 700, awayMs: 700 },
};
/** The share of kills that wait for their takeover, so that some are measured without another fault. */
const AWAITED_SHARE = 0.1;

const LOCAL: readonly [Fault, number][] = [
  ['kill', 6],
  ['stop', 2],
  ['full', 1],
  ['clock', 1],
];
const SHARED: readonly [Fault, number][] = [
  ['kill', 4],
  ['stop', 1],
  ['crash', 1],
  ['backend', 1],
  ['promote', 1],
  ['cut', 2],
  ['stall', 1],
  ['full', 1],
  ['clock', 1],
];

/**
 * Real servers under load behind a balancer while they and their database are killed, stopped, cut off and filled up.
 * Every client repeats its key until it is answered.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { seed, pair, servers: count, log = () => {} } = options;
  const disk = pair ? pair.disk : options.disk;
  const proxies = pair ? await Promise.all(pair.ports.map(openDatabaseProxy)) : [];
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join();
  const world = await openServers({
    database: pair && `postgres://postgres@${hosts}/postgres`,
    data: pair ? undefined : disk?.folder,
    isTeam: true,
    ...(options.command && { command: options.command }),
  });
  let balancer: Balancer | undefined;
  try {
    const servers: Server[] = [];
    for (let index = 0; index < count; index++) servers.push(await world.start());
    const ports = servers.map(({ url }) => Number(new URL(url).port));
    balancer = await (options.usesHaproxy ? startHaproxy(ports) : startRoundRobin(ports));
    const { url } = balancer;
    const token = await world.tokenOf('torture');
    const takeOvers = pair && measureTakeOvers(pair, await world.tokenOf('probe'));
    const limits = LIMITS[pair ? 'shared' : 'local'];
    const random = createRandom(seed);
    const all: World = { servers, world, pair, proxies, disk, takeOvers, random, readyMs: [], limits };
    const load = startLoad({ url, token, clients: options.clients, settleMs: SETTLE_MS });
    const faults = await inflictAll(options, all, { load, log });
    await load.finish();
    await takeOvers?.settle();
    const checked = await check({ url, token, load, effects: world.effects(), settleMs: SETTLE_MS });
    return toReport({ seed, balancer: balancer.name, faults, load, all, checked });
  } finally {
    disk?.free();
    await balancer?.close();
    await world.close();
    for (const proxy of proxies) proxy.close();
  }
}

async function inflictAll(
  { maxFaults, maxMs, pair, pauseMs = PAUSE_MS }: TortureOptions,
  all: World,
  { load, log }: { load: Load; log(line: string): void },
): Promise<Record<string, number>> {
  const faults: Record<string, number> = {};
  const weights = (pair ? SHARED : LOCAL).filter(([fault]) => fault !== 'full' || all.disk);
  const until = performance.now() + maxMs;
  for (let count = 0; count < maxFaults && performance.now() < until; count++) {
    const fault = pickWeighted(weights, all.random);
    const startedAt = performance.now();
    all.takeOvers?.disturb();
    await FAULTS[fault](all);
    faults[fault] = (faults[fault] ?? 0) + 1;
    if (fault === 'kill' && all.random() < AWAITED_SHARE) await all.takeOvers?.settle();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    log(`${count + 1}: ${fault} ${seconds} s, ${load.acknowledged.length} turns, ${load.stuck.length} stuck`);
    await delay(pauseMs * (0.5 + all.random()));
  }
  return faults;
}

interface Results {
  seed: number;
  balancer: Balancer['name'];
  faults: Record<string, number>;
  load: Load;
  all: World;
  checked: Checked;
}

function toReport({ seed, balancer, faults, load, all, checked }: Results): TortureReport {
  const byFront = Object.entries(Object.groupBy(load.acknowledged, ({ front }) => front));
  const none: Pick<TakeOvers, 'alone' | 'disturbed' | 'missed'> = { alone: [], disturbed: [], missed: [] };
  const { alone, disturbed, missed } = all.takeOvers ?? none;
  return {
    ...checked,
    stuck: [...load.stuck, ...checked.stuck],
    seed,
    balancer,
    faults,
    turns: Object.fromEntries(byFront.map(([front, turns]) => [front, turns.length])),
    failed: load.failed,
    readyMs: all.readyMs,
    takeOverMs: alone,
    disturbedMs: disturbed,
    missed,
  };
}

/** mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks a name; each is as likely as its weight. */
function pickWeighted<Name extends string>(weights: readonly (readonly [Name, number])[], random: () => number): Name {
  let left = random() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of weights) {
    left -= weight;
    if (left < 0) return name;
  }
  throw new Error('no name has a weight');
}
