import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../postgres/cluster.ts';
import { get, sendUntilAnswered } from './client.ts';
import { openServers, type Server, type Servers, untilReady } from './servers.ts';

export interface TortureOptions {
  seed: number;
  servers: number;
  /** Ends after so many faults or so much time, whichever comes first. */
  maxFaults: number;
  maxMs: number;
  clients: number;
  /** Absent = SQLite in one data folder. */
  cluster?: Cluster | undefined;
  log?(line: string): void;
}

export interface TortureReport {
  seed: number;
  faults: Record<string, number>;
  turns: number;
  /** Turns that were acknowledged and are not in the store, or lack their answer. */
  lost: string[];
  /** Ids that the counting tool counted more than once. */
  doubled: string[];
  /** Turns without an answer a minute after the last fault, and conversations that take no message. */
  stuck: string[];
  /** Longest time from a fault until the killed or stopped server was ready again, in ms. */
  readyMs: number;
}

type Fault = 'kill' | 'stop' | 'crash' | 'cut' | 'stall';

/** The lease lasts 8 s; a server that is stopped longer must find its turns taken over. */
const STOP_MS = 10_000;
const PAUSE_MS = 1_500;
const SETTLE_MS = 90_000;

/**
 * Real servers under load while they and their database are killed, stopped and cut off. Every client repeats its key at
 * the next server until it is answered, as behind a load balancer without sticky sessions.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { seed, cluster, maxFaults, maxMs, log = () => {} } = options;
  const random = createRandom(seed);
  const proxy = cluster && (await openProxy(cluster.url));
  const world = await openServers({ database: proxy?.url });
  const report: TortureReport = { seed, faults: {}, turns: 0, lost: [], doubled: [], stuck: [], readyMs: 0 };
  try {
    const servers = await Promise.all(Array.from({ length: options.servers }, () => world.start()));
    const until = performance.now() + maxMs;
    const load = startClients({ options, world, servers, report });
    for (let count = 0; count < maxFaults && performance.now() < until; count++) {
      const fault = pick(cluster ? FAULTS : LOCAL_FAULTS, random);
      const place = Math.floor(random() * servers.length);
      log(`${count + 1}: ${fault}${fault === 'kill' || fault === 'stop' ? ` server ${place + 1}` : ''}`);
      report.faults[fault] = (report.faults[fault] ?? 0) + 1;
      await inflict({ fault, place, servers, world, report, cluster, proxy });
      await delay(PAUSE_MS * (0.5 + random()));
    }
    await load.finish();
    await check({ world, servers, load, report });
    return report;
  } finally {
    await world.close();
    proxy?.close();
  }
}

const LOCAL_FAULTS: readonly Fault[] = ['kill', 'kill', 'kill', 'stop'];
const FAULTS: readonly Fault[] = ['kill', 'kill', 'kill', 'stop', 'crash', 'cut', 'cut', 'stall'];

interface Inflict {
  fault: Fault;
  place: number;
  servers: Server[];
  world: Servers;
  report: TortureReport;
  cluster: Cluster | undefined;
  proxy: Proxy | undefined;
}

async function inflict({ fault, place, servers, world, report, cluster, proxy }: Inflict): Promise<void> {
  const server = servers[place];
  if (!server) return;
  const startedAt = performance.now();
  if (fault === 'kill') {
    await server.kill();
    const again = await world.start(Number(new URL(server.url).port));
    servers[place] = again;
  }
  if (fault === 'stop') {
    server.child.kill('SIGSTOP');
    await delay(STOP_MS);
    server.child.kill('SIGCONT');
    await untilReady(server);
    return;
  }
  if (fault === 'crash') {
    await cluster?.crash();
    await delay(500);
    await cluster?.start();
    await Promise.all(servers.map((one) => untilReady(one)));
  }
  if (fault === 'cut') proxy?.cut();
  if (fault === 'stall') {
    proxy?.stall(true);
    await delay(3_000);
    proxy?.stall(false);
    await Promise.all(servers.map((one) => untilReady(one)));
  }
  report.readyMs = Math.max(report.readyMs, performance.now() - startedAt);
}

interface Load {
  /** Ends the load and waits for the answers on their way. */
  finish(): Promise<void>;
  answered: { id: string; session: string }[];
  sessions: string[];
  token: string;
}

interface LoadOptions {
  options: TortureOptions;
  world: Servers;
  servers: Server[];
  report: TortureReport;
}

function startClients({ options, world, servers, report }: LoadOptions): Load {
  const load: Load = { answered: [], sessions: [], token: '', finish: async () => {} };
  let isOver = false;
  const runClient = async (client: number) => {
    const token = await world.tokenOf('torture');
    load.token = token;
    let session: string | undefined;
    for (let turn = 0; !isOver; turn++) {
      const id = `c${client}-${turn}`;
      let tries = client + turn;
      const nextUrl = () => servers[tries++ % servers.length]?.url ?? '';
      try {
        const call = { token, key: id, ...(session && { session }) };
        const answer = await sendUntilAnswered(nextUrl, `count ${id}`, call, SETTLE_MS);
        if (!session) load.sessions.push(answer.session_id);
        session = answer.session_id;
        load.answered.push({ id, session: answer.session_id });
        report.turns++;
        // The check reads one page of turns.
        if (turn % 50 === 49) session = undefined;
      } catch (error) {
        report.stuck.push(`${id}: ${String(error).slice(0, 300)}`);
        return;
      }
    }
  };
  const clients = Array.from({ length: options.clients }, (_, client) => runClient(client));
  load.finish = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  return load;
}

interface Turns {
  turns: { status: string; user_message?: { content: string }; result?: { content: string } }[];
}

/** Compares what was acknowledged with what is stored, and the tool's effects with each other. */
async function check({ world, servers, load, report }: Omit<LoadOptions, 'options'> & { load: Load }): Promise<void> {
  const url = servers[0]?.url ?? '';
  for (const session of load.sessions) {
    const { turns } = await get<Turns>(url, `/sessions/${session}/turns?limit=100`, load.token);
    const stored = new Map(turns.map((turn) => [turn.user_message?.content, turn]));
    for (const { id } of load.answered.filter((one) => one.session === session)) {
      const turn = stored.get(`count ${id}`);
      if (turn?.status !== 'completed' || !turn.result?.content) report.lost.push(id);
    }
    const call = { token: load.token, key: `last-${session}`, session };
    await sendUntilAnswered(() => url, 'hello', call, SETTLE_MS).catch(() => report.stuck.push(session));
  }
  const effects = world.effects();
  report.doubled = effects.filter((id, index) => effects.indexOf(id) < index);
}

/** mulberry32: the same faults for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T; // the list is not empty
}

interface Proxy {
  url: string;
  /** Resets all connections. */
  cut(): void;
  /** Passes nothing on while true. */
  stall(isStalled: boolean): void;
  close(): void;
}

/** A loopback proxy between the servers and the database. */
async function openProxy(target: string): Promise<Proxy> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const database = connect(Number(to.port), to.hostname);
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
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port); // listens on a port, not on a pipe
  return {
    url: url.href,
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
