import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Pair } from '../../postgres/pair.ts';
import type { Server } from '../servers.ts';

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
