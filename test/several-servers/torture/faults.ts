import { setTimeout as delay } from 'node:timers/promises';
import type { Pair } from '../../postgres/pair.ts';
import type { SmallDisk } from '../../small-disk.ts';
import { type Server, type Servers, untilReady } from '../servers.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import type { TakeOvers } from './take-overs.ts';

/** Everything that a fault can reach. */
export interface World {
  servers: Server[];
  world: Servers;
  pair: Pair | undefined;
  proxies: readonly DatabaseProxy[];
  disk: SmallDisk | undefined;
  takeOvers: TakeOvers | undefined;
  random(): number;
  /** Times from the end of a fault until its servers are ready, in ms. */
  readyMs: number[];
  limits: FaultLimits;
}

export interface FaultLimits {
  /** How long a server is stopped. On PostgreSQL longer than the lease of 8 s. */
  stopMs: number;
  /** How long connections stall, a disk stays full and a clock is wrong. */
  awayMs: number;
}

export type Fault = keyof typeof FAULTS;

const DAY_MS = 24 * 3_600_000;

/** Each returns when its servers are ready again. */
export const FAULTS = {
  async kill(all: World): Promise<void> {
    const [place, server] = pickServer(all);
    await all.takeOvers?.watch(server);
    await server.kill();
    const startedAt = performance.now();
    all.servers[place] = await all.world.start(portOf(server));
    all.readyMs.push(performance.now() - startedAt);
  },
  async stop(all: World): Promise<void> {
    const [, server] = pickServer(all);
    await all.takeOvers?.watch(server);
    server.child.kill('SIGSTOP');
    await delay(all.limits.stopMs * (1 + all.random() / 2));
    server.child.kill('SIGCONT');
    await untilAllReady(all, [server]);
  },
  async crash(all: World): Promise<void> {
    await all.pair?.restart();
    await untilAllReady(all);
  },
  async backend(all: World): Promise<void> {
    await all.pair?.killBackend();
    await untilAllReady(all);
  },
  async promote(all: World): Promise<void> {
    await all.pair?.promote();
    await untilAllReady(all);
  },
  async cut(all: World): Promise<void> {
    for (const proxy of all.proxies) proxy.cut();
    await untilAllReady(all);
  },
  async stall(all: World): Promise<void> {
    for (const proxy of all.proxies) proxy.stall(true);
    await delay(all.limits.awayMs);
    for (const proxy of all.proxies) proxy.stall(false);
    await untilAllReady(all);
  },
  async full(all: World): Promise<void> {
    all.disk?.fill();
    await delay(all.limits.awayMs);
    all.disk?.free();
    await all.pair?.repair();
    await untilAllReady(all);
  },
  async clock(all: World): Promise<void> {
    const [, server] = pickServer(all);
    all.world.setClock(portOf(server), all.random() < 0.5 ? DAY_MS : -DAY_MS);
    await delay(all.limits.awayMs);
    all.world.setClock(portOf(server), 0);
  },
};

function pickServer({ servers, random }: World): [number, Server] {
  const place = Math.floor(random() * servers.length);
  return [place, servers[place] as Server]; // the place is within the list
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

async function untilAllReady({ servers, readyMs }: World, waited: readonly Server[] = servers): Promise<void> {
  const startedAt = performance.now();
  await Promise.all(waited.map((server) => untilReady(server)));
  readyMs.push(performance.now() - startedAt);
}
