import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, askAll, getJson, quantile } from './client.ts';
import {
  alone,
  type Bench,
  clientGone,
  coldStart,
  conversation,
  latency,
  memory,
  type Row,
  start,
  throughput,
  toolLists,
} from './compare.ts';
import { type Contestant, type Running, stop } from './contestant.ts';
import { oneUsersFlood } from './flood.ts';
import { LAST, type Scenario, toPrompt } from './scenario.ts';
import { type Finding, healthUnderLoad, idleFollowers, overload } from './under-load.ts';

export interface Measured {
  rows: Row[];
  findings: Finding[];
}

type Phase<Member> = (all: readonly Member[], bench: Bench) => Promise<Partial<Measured>>;

/** The number of turns that agent/few-places.yaml runs at once. */
const PLACES = 40;
const SMALL_PORT = 19_281;
const FLOOD_PORT = 19_291;
const TEAM_PORT = 19_292;

/** Phases that start each server themselves. */
const FRESH: Record<string, Phase<Contestant>> = {
  cold: async (all, bench) => ({ rows: await coldStart(all, bench), findings: [await chatStart(bench)] }),
  memory: async (all, bench) => ({ rows: await memory(all, bench) }),
  async lists(all, bench) {
    const withLists = all.filter(({ kind }) => ['floor', 'ours', 'before'].includes(kind));
    return { rows: await toolLists(withLists, bench) };
  },
  async team(all, bench) {
    const rest = all.find(({ name }) => name === 'holodeck rest');
    if (!rest) return {};
    const server = await start({ ...rest, port: TEAM_PORT }, bench, { BENCH_TEAM: '1' });
    return { findings: [await delegation(server, bench).finally(() => stop(server.child))] };
  },
  flood: async (_, { mockPort }) => ({ findings: [await oneUsersFlood({ port: FLOOD_PORT, mockPort })] }),
};

/** Phases that measure servers that are already warm. */
const WARM: Record<string, Phase<Running>> = {
  latency: async (all, bench) => ({
    rows: [
      ...(await latency(all, { scenario: { tokens: 20 }, what: '20 tokens', count: asks(bench) })),
      ...(await alone(all, { scenario: { tokens: 20 }, what: '20 tokens', bench })),
    ],
  }),
  async paced(all, bench) {
    // A paced answer takes up to half a second.
    const asks = 5;
    const streams = { scenario: { tokens: 50, gapMs: 20 }, what: '200 paced streams', bench, connections: 200 };
    return {
      rows: [
        ...(await alone(all, { scenario: { tokens: 20, gapMs: 5 }, what: '20 tokens 5 ms apart', bench, asks })),
        ...(await alone(all, { scenario: { tokens: 20, gapMs: 20 }, what: '20 tokens 20 ms apart', bench, asks })),
        ...(await throughput(all, streams)).slice(0, 1),
      ],
    };
  },
  async history(all, bench) {
    const after = (messages: number) =>
      alone(all, {
        scenario: { tokens: 20 },
        what: `${messages} messages`,
        bench,
        earlier: conversation(messages),
      });
    return { rows: [...(await after(50)), ...(await after(1_000))] };
  },
  throughput: async (all, bench) => ({
    rows: await throughput(all, { scenario: { tokens: 200 }, what: '50 connections × 200 tokens', bench }),
  }),
  async tools(all, bench) {
    const one = { scenario: { tokens: 5, calls: 1 }, what: 'one tool call', bench };
    const four = { scenario: { tokens: 5, calls: 1, steps: 4 }, what: 'four tool steps', bench };
    const five = { scenario: { tokens: 5, calls: 5, toolMs: 100 }, what: 'five parallel tools of 100 ms' };
    return {
      rows: [
        ...(await latency(all, { ...one, count: asks(bench) })).slice(1),
        ...(await alone(all, one)),
        ...(await latency(all, { ...four, count: asks(bench) })).slice(1),
        ...(await alone(all, four)),
        ...(await throughput(all, { ...one, what: 'one tool call × 50' })).slice(0, 1),
        ...(await latency(all, { ...five, count: Math.ceil(asks(bench) / 10) })).slice(1),
      ],
    };
  },
  gone: async (all, bench) => ({ rows: await clientGone(all, bench) }),
  async load(all, bench) {
    const rest = all.find(({ name }) => name === 'holodeck rest');
    if (!rest) return {};
    const findings = [await healthUnderLoad(rest), await idleFollowers(rest)];
    const small = await start({ ...rest, port: SMALL_PORT }, bench, { BENCH_AGENT: 'few-places.yaml' });
    findings.push(await overload(small, PLACES).finally(() => stop(small.child)));
    return { findings };
  },
};

export const PHASES: readonly string[] = [...Object.keys(FRESH), ...Object.keys(WARM)];

/** Runs phases by their names. */
export async function measure(
  names: readonly string[],
  all: readonly Contestant[],
  bench: Bench,
): Promise<Map<string, Measured>> {
  const found = new Map<string, Measured>();
  const run = async <Member>(phases: Record<string, Phase<Member>>, members: readonly Member[]) => {
    for (const [name, phase] of Object.entries(phases))
      if (names.includes(name)) found.set(name, { rows: [], findings: [], ...(await phase(members, bench)) });
  };
  await run(FRESH, all);
  if (names.some((name) => name in WARM)) await withRunning(all, bench, (running) => run(WARM, running));
  return found;
}

async function withRunning(
  all: readonly Contestant[],
  bench: Bench,
  work: (running: Running[]) => Promise<void>,
): Promise<void> {
  const running: Running[] = [];
  try {
    for (const one of all) running.push(await start(one, bench));
    for (const one of running)
      await askAll(one, { tokens: 50 }, { connections: 10, ms: bench.isQuick ? 1_000 : 3_000 });
    for (const one of running)
      await askAll(one, { tokens: 5, calls: 1 }, { connections: 10, ms: bench.isQuick ? 500 : 1_500 });
    await work(running);
  } finally {
    await Promise.all(running.map((one) => stop(one.child)));
  }
}

function asks({ isQuick }: Bench): number {
  return isQuick ? 40 : 200;
}

/** A delegation may cost as much as two turns of its member. */
const DELEGATION_TURNS = 2;

/** Compares the CPU that a delegation adds to a turn with the turn of its member alone. */
async function delegation(server: Running, bench: Bench): Promise<Finding> {
  const turn: Scenario = { tokens: 20 };
  const warmUp = { connections: 10, ms: bench.isQuick ? 500 : 1_500 };
  await askAll(server, { task: turn }, warmUp);
  const before = await getJson(bench.mockPort, '/stats');
  await ask(server, { task: turn });
  const { requests = 0 } = await getJson(bench.mockPort, '/stats');
  if (requests - (before.requests ?? 0) !== 3) throw new Error('the turn did not delegate');
  const measured = async (scenario: Scenario) => {
    const [row] = await alone([server], { scenario, what: '', bench });
    return row?.values.get(server.name) ?? Number.NaN;
  };
  const ownMs = await measured(turn);
  const addedMs = (await measured({ task: turn })) - ownMs;
  const ratio = addedMs / ownMs;
  const times = `${addedMs.toFixed(2)} ms beside ${ownMs.toFixed(2)} ms for the turn of its member alone`;
  const text = `a delegation: ${times}, CPU, × ${ratio.toFixed(2)} (≤ ${DELEGATION_TURNS})`;
  return { text, isMet: ratio <= DELEGATION_TURNS };
}

const COMMAND = join(import.meta.dirname, '..', 'dist', 'main.js');
const AGENT = join(import.meta.dirname, 'agent', 'agent.yaml');
/** A chat is ready within a second; the answer of the mock model takes a few milliseconds more. */
const MOST_MS = 1_000;

/** Measures from the command `chat` to the end of its first answer. The first round only warms the disk. */
async function chatStart({ mockPort, isQuick }: Bench): Promise<Finding> {
  const times: number[] = [];
  for (let round = 0; round < (isQuick ? 3 : 7); round++) times.push(await startOnce(mockPort));
  const ms = quantile(times.slice(1), 0.5);
  return { text: `chat: the first answer ${ms.toFixed(0)} ms after the command`, isMet: ms < MOST_MS };
}

async function startOnce(mockPort: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const env = { ...process.env, MOCK_URL: `http://127.0.0.1:${mockPort}/v1` };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'chat', AGENT, '--data', data], { env });
  try {
    return await new Promise((resolve, reject) => {
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => {
        shown += piece;
        if (shown.includes(LAST)) resolve(performance.now() - startedAt);
      });
      child.once('exit', () => reject(new Error(`chat ended before its answer: ${shown}`)));
      child.stdin.end(`${toPrompt({ tokens: 2 })}\n`);
    });
  } finally {
    child.kill();
    rmSync(data, { recursive: true, force: true });
  }
}
