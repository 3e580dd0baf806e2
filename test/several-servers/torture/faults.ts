import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Pair } from '../../postgres/pair.ts';
import type { SmallDisk } from '../../small-disk.ts';
import { type Server, type Servers, untilReady } from '../servers.ts';

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

export interface DatabaseProxy {
  port: number;
  /** Resets all connections. */
  cut(): void;
  /** Passes nothing on while true. */
  stall(isStalled: boolean): void;
  close(): void;
}

/** A loopback proxy between the servers and one PostgreSQL. */
export async function openDatabaseProxy(targetPort: number): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const database = connect(targetPort, '127.0.0.1');
    for (const [from, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (piece) => other.write(piece));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        other.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    port,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    stall(stalled) {
      isStalled = stalled;
      for (const socket of sockets) stalled ? socket.pause() : socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Measures how long a turn of a dead server waits for another server. */
export interface TakeOvers {
  /** Begins a slow turn at a server that is about to die, and measures from now on. */
  watch(server: Server): Promise<void>;
  /** Another fault begins: takeovers that are awaited now are no longer undisturbed. */
  disturb(): void;
  /** Waits for those that are awaited now. */
  settle(): Promise<void>;
  /** Measured without another fault meanwhile, in ms. */
  alone: number[];
  /** Measured while other faults happened, in ms. */
  disturbed: number[];
  /** Turns that no server took over in time. */
  missed: string[];
}

interface Awaited {
  isAlone: boolean;
  done: Promise<void>;
}

/** Words of the slow turn; it must last longer than the lease. */
const WORDS = 200;
const LOOK_MS = 50;
const GIVE_UP_MS = 90_000;

export function measureTakeOvers(pair: Pair, token: string): TakeOvers {
  const awaited = new Set<Awaited>();
  const measured: Pick<TakeOvers, 'alone' | 'disturbed' | 'missed'> = { alone: [], disturbed: [], missed: [] };
  let count = 0;
  return {
    ...measured,
    async watch(server) {
      const turnId = await beginSlowTurn(server, { token, key: `probe-${++count}` });
      if (!turnId) return;
      const entry: Awaited = { isAlone: true, done: Promise.resolve() };
      awaited.add(entry);
      entry.done = untilTakenOver(pair, turnId)
        .then((ms) => {
          if (ms === undefined) measured.missed.push(turnId);
          else measured[entry.isAlone ? 'alone' : 'disturbed'].push(ms);
        })
        .finally(() => awaited.delete(entry));
    },
    disturb() {
      for (const entry of awaited) entry.isAlone = false;
    },
    settle: async () => void (await Promise.all([...awaited].map(({ done }) => done))),
  };
}

/** Returns the id of a turn that goes on by itself; undefined if the server does not take one now. */
async function beginSlowTurn({ url }: Server, { token, key }: { token: string; key: string }) {
  const response = await fetch(`${url}/agent/counter/chat`, {
    method: 'POST',
    signal: AbortSignal.timeout(5_000),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      prefer: 'respond-async',
    },
    body: JSON.stringify({ message: `slow ${WORDS}` }),
  }).catch(() => undefined);
  if (response?.status !== 202) return undefined;
  return ((await response.json()) as { turn_id: string }).turn_id;
}

/** The time until another server runs the turn; undefined = it was not taken over. */
async function untilTakenOver(pair: Pair, turnId: string): Promise<number | undefined> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < GIVE_UP_MS) {
    const row = await readTurn(pair.primaryUrl(), turnId);
    if (row && row.attempt > 1) return performance.now() - startedAt;
    // The commit that began it can only be missing if it was never acknowledged, which is a loss.
    if (row?.status === 'completed') return undefined;
    await delay(LOOK_MS);
  }
  return undefined;
}

async function readTurn(url: string, turnId: string): Promise<{ attempt: number; status: string } | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} });
  try {
    const [row] = await sql<
      { attempt: number; status: string }[]
    >`SELECT attempt, status FROM turns WHERE id = ${turnId}`;
    return row;
  } catch {
    return undefined; // the database is away
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}
